package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.locates;

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
        if (classNumber == 0) {
            return counter;
        }
        long number = U.getInt(made.getClass(), classNumber);
        long key = number << 32 | counter;
        long set = at(MADE) + ((number * 31 + counter & MADE_SETS - 1) * (MADE_SET_WORDS << 3));
        int first = 0; // the recorder may have made an entry zero meanwhile
        if (U.getLong(null, set) == key) {
            first = (int) U.getLong(null, set + 8);
        } else if (U.getLong(null, set + 16) == key) {
            first = (int) U.getLong(null, set + 24);
        }
        return first != 0 ? first : ask(made.getClass(), counter);
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
