package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardTree.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * Named transactions: what stands around calls of mallard.Context.begin and end. The invocation that begins one goes on
 * in another node of the tree of contexts: the slot of that call leads to the transaction's node, and the only slot of
 * that to a node of the invocation's own method. So nothing is to be done when an exception passes: its caller is where
 * it was. But the recorder, who is asked about contexts, sees frames and no transactions; therefore a thread's
 * transactions are a list, from the innermost outwards, in the words of their nodes. A context is in a stack once, and
 * so its node is in the list once. What an exception has left in the list does no harm until the same context comes up
 * again, which then begins by taking it away.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules.
 */
public final class $MallardTransactions {
    /** Words of a transaction's node behind its slot: the invocation's node, hash or number before it began, and since;
     * the transaction around it. */
    private static final int BEFORE = TRANSACTION_BEFORE;
    private static final int SINCE = TRANSACTION_SINCE;
    private static final int AROUND = TRANSACTION_AROUND;
    private static final int ALLOCATED = TRANSACTION_ALLOCATED; // by the thread before
    private static final int WORDS = TRANSACTION_WORDS; // one is for $MallardEntered

    private $MallardTransactions() {}

    /** Begins a transaction in the invocation of a method that has this node, by the call in a slot. Gives the node in
     * which it goes on. */
    @Hidden
    public static long begin(String name, long node, int method, int slot) {
        return start(numberOf(name), node, method, slot);
    }

    /** The same for hashes. */
    @Hidden
    public static long beginHash(String name, long hash, int method, int slot) {
        return $MallardHash.eager == 0 ? hash : startHash(numberOf(name), hash, method, slot);
    }

    /** The same for numbers that are decoded, of which a node is one. */
    @Hidden
    public static long beginCode(String name, long number, int method, int slot) {
        return resolves ? startCode(numberOf(name), number, method, slot) : number;
    }

    /** Begins a transaction that a method is by itself, unless the invocation is in one of this number already: its
     * caller's is the same one. */
    @Hidden
    public static long begin(int name, long node, int method, int slot) {
        return name == 0 || isIn(name, node) ? node : start(name, node, method, slot);
    }

    /** The same for hashes. */
    @Hidden
    public static long beginHash(int name, long hash, int method, int slot) {
        return name == 0 || $MallardHash.eager == 0 || isIn(name, $MallardHash.own(hash & -2, method)) ? hash
            : startHash(name, hash, method, slot);
    }

    /** The same for numbers that are decoded. */
    @Hidden
    public static long beginCode(int name, long number, int method, int slot) {
        return name == 0 || !resolves || isIn(name, $MallardDecoder.own(number, method)) ? number
            : startCode(name, number, method, slot);
    }

    private static long start(int name, long node, int method, int slot) {
        long transaction = transaction(name, node, slot);
        long since = transaction == 0 ? 0 : goOn(transaction, method);
        if (since == 0) {
            return node;
        }
        push(transaction, node, since);
        return since;
    }

    private static long startHash(int name, long hash, int method, int slot) {
        long transaction = transaction(name, $MallardHash.own(hash & -2, method), slot);
        long since = transaction == 0 ? 0 : goOn(transaction, method);
        if (since == 0) {
            return hash;
        }
        since = $MallardHash.anchor(since);
        push(transaction, hash, since);
        return since;
    }

    private static long startCode(int name, long number, int method, int slot) {
        long transaction = transaction(name, $MallardDecoder.own(number, method), slot);
        long since = transaction == 0 ? 0 : goOn(transaction, method);
        if (since == 0) {
            return number;
        }
        push(transaction, number, since);
        return since;
    }

    /** Whether a node is below that of a transaction, or there is no node. */
    private static boolean isIn(int name, long node) {
        if (node < EARLY_NODES) {
            return true;
        }
        for (long at = node; at != 0; at = get(at(at, ENTRY)) & NODE) {
            int method = (int) get(at(at, NODE_METHOD));
            if (method == name || method == ROOT) {
                return method == name;
            }
        }
        return false;
    }

    /** Ends the innermost transaction of an invocation, given its node, hash or number. Gives the one that it had
     * before; where it has begun none, the same. */
    @Hidden
    public static long end(long now) {
        return end(now, true);
    }

    private static long end(long now, boolean counted) {
        long transaction = U == null ? 0 : get(wordAt(TRANSACTION));
        while (transaction != 0 && get(at(transaction, SINCE)) != now) {
            transaction = get(at(transaction, AROUND));
        }
        if (transaction == 0) {
            return now;
        }
        drop(transaction);
        if (counted) {
            ended(transaction);
        }
        return get(at(transaction, BEFORE));
    }

    /** Ends all that an invocation has begun, which returns. */
    @Hidden
    public static long over(long now) {
        return over(now, true);
    }

    /** The same for what is not to be counted among those that have ended. */
    @Hidden
    public static long dropped(long now) {
        return over(now, false);
    }

    private static long over(long now, boolean counted) {
        long before = end(now, counted);
        while (before != now) {
            now = before;
            before = end(now, counted);
        }
        return now;
    }

    /** Takes away what earlier invocations in the same context have begun and not ended. Called by one that begins. */
    @Hidden
    public static void forget(long node, int method) {
        if (U != null && get(wordAt(TRANSACTION)) != 0) {
            forget(node);
        }
    }

    /** The same for hashes. */
    @Hidden
    public static void forgetHash(long hash, int method) {
        if (U != null && get(wordAt(TRANSACTION)) != 0) {
            forget($MallardHash.own(hash & -2, method));
        }
    }

    /** The same for numbers that are decoded. */
    @Hidden
    public static void forgetCode(long number, int method) {
        if (U != null && get(wordAt(TRANSACTION)) != 0) {
            forget($MallardDecoder.own(number, method));
        }
    }

    private static void forget(long node) {
        for (long transaction = get(wordAt(TRANSACTION)); transaction != 0; transaction = get(at(transaction,
            AROUND))) {
            if ((get(at(transaction, ENTRY)) & NODE) == node) {
                drop(transaction);
            }
        }
    }

    /** Gives the node of a transaction; 0 without memory, or without a recorder. */
    private static long transaction(int name, long node, int slot) {
        return name == 0 || node < EARLY_NODES ? 0 : go(node | (long) slot << SLOT, name);
    }

    /** Gives the node of a transaction, or one that counts, by what it is entered; 0 without memory. */
    static long go(long entry, int number) {
        return go(entry, number, WORDS);
    }

    /** Gives the number of a name, 0 where there is none. */
    @Hidden
    public static int numberOf(String name) {
        return U == null ? 0 : number(name == null ? "null" : name);
    }

    /** The same for the name that is a number's. */
    @Hidden
    public static int numberOf(long value) {
        return U == null ? 0 : numberOfValue(value);
    }

    /** The same for what some methods of an object give, with spaces between; without methods, for the object: a
     * string, a number, a constant, a class, or what class it is of. */
    @Hidden
    public static int numberOf(Object object, String calls) {
        if (U == null) {
            return 0;
        }
        if (object == null) {
            return number("null");
        }
        if (!calls.isEmpty()) {
            return numberOfCalls(object, calls);
        }
        if (object instanceof String name) {
            return number(name);
        }
        if (object instanceof Enum<?> constant) {
            return number(constant.name());
        }
        if (object instanceof Integer || object instanceof Long || object instanceof Short || object instanceof Byte) {
            return numberOfValue(((Number) object).longValue());
        }
        return numberOfClass(object instanceof Class<?> named ? named : object.getClass());
    }

    /** Gives the node in which the invocation goes on that has begun a transaction; 0 without memory. */
    private static long goOn(long transaction, int method) {
        return go(transaction | (long) SLOTS << SLOT, method, $MallardHash.words(method));
    }

    private static long go(long entry, int method, int words) {
        long node = callee(entry, method);
        if (node == 0) {
            node = child(entry, method, words);
        }
        return node < EARLY_NODES ? 0 : node;
    }

    private static void push(long transaction, long before, long since) {
        forget(get(at(transaction, ENTRY)) & NODE);
        put(at(transaction, BEFORE), before);
        put(at(transaction, SINCE), since);
        put(at(transaction, AROUND), get(wordAt(TRANSACTION)));
        put(wordAt(TRANSACTION), transaction);
        began(transaction);
        add(counted(transaction, ENTERED), 1);
    }

    /** Notes what the thread has allocated when a transaction begins. */
    static void began(long transaction) {
        put(at(transaction, ALLOCATED), allocated(Thread.currentThread()));
    }

    /** Has what it has allocated since counted for the transaction's name. */
    static void ended(long transaction) {
        ended(Thread.currentThread(), (int) get(at(transaction, NODE_METHOD)), get(at(transaction, ALLOCATED)));
    }

    /** Says by how much a test that has ended is over its budget, given the name of its transaction; null where it is
     * not, or where nobody knows. Called by mallard.Context. */
    @Hidden
    public static String overBudget(String name) {
        return U == null || name == null ? null : askBudget(name);
    }

    /** Takes a transaction off the list, and what is inside it. */
    private static void drop(long transaction) {
        put(wordAt(TRANSACTION), get(at(transaction, AROUND)));
    }

    /** Asks for the number of a name. The agent knows those that it has asked the recorder for. */
    static native int number(String name);

    private static native int numberOfValue(long value);

    private static native int numberOfClass(Class<?> named);

    private static native int numberOfCalls(Object object, String calls);

    /** What the VM says that a thread has allocated, in bytes; 0 for virtual ones, and where that is not known. */
    private static native long allocated(Thread thread);

    private static native void ended(Thread thread, int number, long allocatedBefore);

    private static native String askBudget(String name);
}
