package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.locates;
import static java.lang.$MallardTree.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Of what classes the objects are that calls make, where the code does not tell: which counters a call has for each.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
final class $MallardClasses {
    /**
     * Where a class mirror has the number that Mallard gives to classes whose objects calls make, a field that it adds
     * to {@link Class}; 0 until boot, and where there is no such field.
     */
    @Stable private static long classNumber;

    /** The thread's table from classes and calls to counters; see package abi. */
    private static final int MADE = WORD_MADE;

    /** What a node of counters for a class has in its first word's lower half. */
    private static final long OF_CLASS = MADE_METHOD & 0xffffffffL;

    private $MallardClasses() {}

    /** Finds the field. Called at boot. */
    static void find(Unsafe unsafe) {
        try {
            classNumber = unsafe.objectFieldOffset(Class.class, "$mallard");
        } catch (InternalError none) {
            // the class was left as it is
        }
    }

    /**
     * The first of the counters for an object that a call has made: those of its class, which the thread remembers, or
     * the call's own, where that is the type of the call's site.
     *
     * @param counter the first of the call's
     */
    @ForceInline
    static int countersOf(Object made, int counter) {
        return countersFor(made.getClass(), counter);
    }

    /** The same for an object of a class. */
    @ForceInline
    static int countersFor(Class<?> made, int counter) {
        if (classNumber == 0) {
            return counter;
        }
        long number = U.getInt(made, classNumber);
        long key = number << 32 | counter;
        long set = at(MADE) + ((number * 31 + counter & MADE_SETS - 1) * (MADE_SET_WORDS << 3));
        int first = 0; // the recorder may have made an entry zero meanwhile
        if (U.getLong(null, set) == key) {
            first = (int) U.getLong(null, set + 8);
        } else if (U.getLong(null, set + 16) == key) {
            first = (int) U.getLong(null, set + 24);
        }
        return first != 0 ? first : ask(made, counter);
    }

    /**
     * The address of the counters for an object that a call has made in a node: the call's own, or those of the class
     * in this context.
     *
     * @param own address of the call's own
     * @param word of the first of them
     * @param slot where the node has those for classes
     * @param counter the number of the first
     */
    @ForceInline
    static long wordsOf(Object made, long own, int word, int slot, int counter) {
        return wordsFor(made.getClass(), own, word, slot, counter);
    }

    /** The same for an object of a class. */
    @ForceInline
    static long wordsFor(Class<?> made, long own, int word, int slot, int counter) {
        int first = countersFor(made, counter);
        if (first == counter) {
            return own;
        }
        long node = own - ((long) word << 3) - NODES;
        long last = U.getLong(null, NODES + node + ((long) slot << 3));
        long is = (long) first << MADE_SHIFT | OF_CLASS;
        return last != 0 && U.getLong(null, NODES + last) == is ? at(last, SLOTS) : wordsOf(node, slot, is, own);
    }

    /**
     * Finds or makes a context's counters for a class, and makes them the first of its slot. Contexts that share a
     * node, for want of memory, have none.
     */
    @DontInline
    private static long wordsOf(long node, int slot, long is, long own) {
        if (node < EARLY_NODES) {
            return own;
        }
        long first = at(node, slot);
        long before = first;
        long free = 0;
        for (long made = get(first); made != 0; made = get(before)) {
            long now = get(at(made, NODE_METHOD));
            if (now == is) {
                put(before, get(at(made, NODE_SIBLING)));
                put(at(made, NODE_SIBLING), get(first));
                put(first, made);
                return at(made, SLOTS);
            }
            if (now == OF_CLASS) {
                free = made;
            }
            before = at(made, NODE_SIBLING);
        }
        if (free != 0) {
            put(at(free, NODE_METHOD), is);
            return at(free, SLOTS);
        }
        long made = make(MADE_WORDS);
        if (made == 0) {
            long arena = TOP; // which the compiler is not to add up: it is a fact
            put(arena + (ARENA_UNTOLD - ARENA_TOP << 3), 1);
            return own;
        }
        put(at(made, ENTRY), node | (long) slot << SLOT);
        put(at(made, NODE_SIBLING), get(first));
        U.putLongVolatile(null, at(made, NODE_METHOD), is); // last: the recorder may be reading
        put(first, made);
        return at(made, SLOTS);
    }

    /** Asks the agent, and remembers the answer. A block that several threads share has no table. */
    @DontInline
    private static int ask(Class<?> made, int counter) {
        if (!locates) {
            return counter;
        }
        try {
            int first = counters(made, counter);
            if (first == 0) {
                return counter;
            }
            if (Thread.currentThread().$mallard != 0) {
                long number = U.getInt(made, classNumber);
                long set = at(MADE) + ((number * 31 + counter & MADE_SETS - 1) * (MADE_SET_WORDS << 3));
                long key = U.getLong(null, set);
                U.putLong(null, set + 16, 0);
                U.putLong(null, set + 24, U.getLong(null, set + 8));
                U.putLong(null, set + 16, key);
                U.putLong(null, set, 0);
                U.putLong(null, set + 8, first);
                U.putLong(null, set, number << 32 | counter);
            }
            return first;
        } catch (Throwable mine) {
            return counter; // a full stack: the object is of its site's type
        }
    }

    /** {@link #countersOf}; 0: not now. Gives the class a number. Found as {@link $Mallard#rewrite} is. */
    private static native int counters(Class<?> made, int counter);
}
