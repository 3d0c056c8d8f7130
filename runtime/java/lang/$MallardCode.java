package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardDecoder.*;
import static java.lang.$MallardTree.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Contexts as numbers that are decoded. A call adds a constant to its caller's number, if the recorder has given it
 * one; otherwise the number starts again behind an anchor, which stands for the call in its context. What a number
 * stands for, the thread finds out when it counts, call by call back to what it knows, and remembers it in a table.
 * Constants change from epoch to epoch, and a number says of which it is.
 *
 * <pre> a number: epoch 5 bits | anchor 24 | value 35; of epoch 0 it is a node a call's constant: epoch 5 | callee 24 |
 * addition 35 an anchor: the caller's number; epoch 5 | callee 24 | call 35; a node that it stands for, or 0; how often
 * it was taken an epoch's call: addition 38 | call 26
 * </pre>
 *
 * Anchors are a thread's own, so the one thing here that several threads write to is how many there are. The recorder
 * is asked about what no call announces, as for {@link $MallardHash}.
 *
 * <p>Which number an invocation has is defined here. Where constants stand calltree.BeginEpoch defines, which is the
 * reference; calltree's TestJava runs both on the same cases.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardCode extends $MallardObjects {
    // Facts, as in $Mallard.

    /** Address of 8 bytes a call: its constant. Behind those of calls are zeros, for what {@link #end} announces. */
    private static final long ADDITIONS = FACT_ADDITIONS;

    /** Address of 32 bytes an anchor. */
    private static final long ANCHORS = FACT_ANCHORS;

    /** How many anchors there may be. */
    private static final long MOST_ANCHORS = FACT_MOST_ANCHORS;

    /** What the end of method 0 would announce; those of others follow. Calls have smaller numbers. */
    private static final long RETURNS = FACT_RETURNS;

    static final long EPOCH = (1L << NUMBER_EPOCH_BITS) - 1 << NUMBER_EPOCH_SHIFT;
    private static final int CALLEE = NUMBER_ANCHOR_SHIFT;
    static final long VALUE = (1L << CALLEE) - 1;
    private static final int ANCHOR = CALLEE;
    private static final long ANCHOR_MASK = (1L << NUMBER_ANCHOR_BITS) - 1;

    /** In an epoch's call, the call. */
    static final int CALL_BITS = EDGE_CALL_BITS;
    static final long CALL = (1L << CALL_BITS) - 1;

    /** Numbers of invocations whose context there was no memory for, and of those that began where nobody could be
     * asked. */
    static final long NOWHERE = NUMBER_NOWHERE;
    static final long UNKNOWN = NUMBER_UNKNOWN;

    /** Bits of the recorder's answer: the node is the call's, whenever that call is announced in that context; it is in
     * the call's slot as well. */
    private static final long ALWAYS = CACHEABLE_ALWAYS;
    private static final long IN_SLOT = CACHEABLE_SLOT;

    // Words behind TOP, which the recorder writes but for the second.

    /** The current epoch, as numbers have it. */
    static final int CURRENT = ARENA_EPOCH;

    /** How many anchors were taken. */
    private static final int TAKEN = ARENA_ANCHORS;

    /** Offset of the constants of calls that lead to several methods; above bit 48 the logarithm of how many there is
     * room for. */
    private static final int SEVERAL = ARENA_SEVERAL;
    private static final int SIZE = SEVERAL_SHIFT;

    /** For each epoch the offset of where each method's calls begin among its calls, and of those. */
    static final int EPOCHS = ARENA_EPOCHS;

    /** How many anchors a thread takes at a time, and the bytes of one. */
    private static final int ANCHOR_BLOCK = ANCHORS_AT_ONCE;
    private static final int ANCHOR_SHIFT = ANCHOR_BYTES_SHIFT;

    /** Bytes of a thread's first table of anchors. */
    private static final long FIRST_KNOWN = 512;

    static final long HASH = CODE_HASH;

    private $MallardCode() {}

    /**
     * Gives the number of the invocation that begins.
     *
     * @param words of a node
     * @param first number of the first call in the method
     */
    @ForceInline
    @Hidden
    public static long begin(int method, int words, int first) {
        if (!resolves) {
            return beginEagerly(method, words, first);
        }
        Thread thread = Thread.currentThread();
        long next = thread.$next;
        long constant = U.getLong(null, ADDITIONS + ((long) thread.$called << ADDITION_BYTES_SHIFT));
        if ((constant ^ next & EPOCH) >>> CALLEE != method) {
            return beginSlowly(method);
        }
        return next + (constant & VALUE);
    }

    /** Says what an invocation calls next. */
    @ForceInline
    @Hidden
    public static void announce(long number, int call) {
        if (U == null) {
            early[NEXT] = number;
            early[CALLED] = call;
            return;
        }
        Thread thread = Thread.currentThread();
        thread.$next = number;
        thread.$called = call;
    }

    /** Says that an invocation returns: what its caller, if it announces nothing, calls next is called as this
     * invocation was. The number is 0 where it has announced nothing. */
    @ForceInline
    @Hidden
    public static void end(long number, int method) {
        if (number != 0) {
            announce(number, (int) (RETURNS + method));
        }
    }

    /** Whether contexts are numbers that are decoded. */
    static boolean is() {
        return $Mallard.is(ADDITIONS);
    }

    /** Whether a number stands for the same node whenever it comes up, and is none itself. */
    static boolean isSure(long number) {
        return (number & EPOCH) != 0;
    }

    /** Gives the node in which an invocation counts. */
    @ForceInline
    @Hidden
    public static long node(long number, int method) {
        if (!resolves) {
            return number;
        }
        long pair = home(Thread.currentThread().$table, number, method);
        long node = U.getLong(null, pair + PAIR_NODE);
        return U.getLong(null, pair) == number && U.getInt(null, NODES + node) == method ? node : nodeSlowly(number,
            method);
    }

    /** Until the agent can tell stacks, each invocation makes its node. The node says which call is in its first slot:
     * there is nowhere else to look that up. */
    @DontInline
    private static long beginEagerly(int method, int words, int first) {
        long next = U == null ? early[NEXT] : Thread.currentThread().$next;
        int called = U == null ? (int) early[CALLED] : Thread.currentThread().$called;
        long entry;
        if (called == 0) {
            entry = root();
        } else if (called >= RETURNS) {
            entry = get(at(next, ENTRY));
        } else {
            entry = next | (called - (get(at(next, NODE_METHOD)) >>> FIRST_CALL_SHIFT) & Short.MAX_VALUE) +
            SLOTS << SLOT;
        }
        long node = callee(entry, method);
        if (node == 0) {
            node = child(entry, method, words);
            put(at(node, NODE_METHOD), (long) first << FIRST_CALL_SHIFT | method);
        }
        return node;
    }

    @DontInline
    private static long beginSlowly(int method) {
        Thread thread = Thread.currentThread();
        if (thread.$called >= RETURNS) {
            announceAgain(thread);
            // the VM makes an exception, and does not do so where Java code made the last one
            if (U.getInt(null, described(method) + METHOD_CALLS) < 0) {
                return behindAnchor(UNKNOWN, 0, method);
            }
        }
        long next = thread.$next;
        int called = thread.$called;
        long constant = U.getLong(null, ADDITIONS + ((long) called << ADDITION_BYTES_SHIFT));
        if ((constant ^ next & EPOCH) >>> CALLEE != method) {
            constant = constant(called, method);
            if (constant == 0 || ((constant ^ next) & EPOCH) != 0) {
                return behindAnchor(next, called, method);
            }
        }
        return next + (constant & VALUE);
    }

    /** Gives the constant of a call that leads to several methods, 0 without. */
    private static long constant(int called, int method) {
        long table = U.getLong(null, header(SEVERAL));
        long mask = (1L << (table >>> SIZE)) - 1;
        table = NODES + (table & (1L << SIZE) - 1);
        long key = (long) called << SEVERAL_CALL_SHIFT | method;
        for (long i = key * HASH >>> CODE_HASH_SHIFT & mask; ; i = i + 1 & mask) {
            long entry = table + (i << SEVERAL_BYTES_SHIFT);
            long found = U.getLong(null, entry + SEVERAL_KEY);
            if (found == key || found == 0) {
                return found == 0 ? 0 : U.getLong(null, entry + SEVERAL_CONSTANT);
            }
        }
    }

    /** An invocation has returned: makes the call be the last one again that it was called by. */
    private static void announceAgain(Thread thread) {
        long number = thread.$next;
        long next;
        int called;
        if ((number & EPOCH) != 0) {
            if ((number & VALUE) == 0) {
                next = U.getLong(null, anchor(number) + ANCHOR_NUMBER);
                called = (int) U.getLong(null, anchor(number) + ANCHOR_CALL);
            } else {
                long step = step(number, (int) (thread.$called - RETURNS));
                next = number - (step >>> CALL_BITS);
                called = (int) (step & CALL);
            }
        } else if (number <= UNKNOWN) {
            next = number;
            called = 0;
        } else {
            long entry = get(at(number, ENTRY));
            long caller = entry & NODE;
            int method = caller < EARLY_NODES ? 0 : (int) get(at(caller, NODE_METHOD));
            next = method == ROOT ? 0 : method == 0 ? UNKNOWN : caller;
            called = method == ROOT || method == 0 ? 0 : first(method) + (int) (entry >>> SLOT) - SLOTS;
        }
        thread.$next = next;
        thread.$called = called;
    }

    /** Gives the number of an invocation whose call has no constant. */
    private static long behindAnchor(long next, int called, int method) {
        if (next == NOWHERE || block() == OVERFLOW || !ready()) {
            return NOWHERE;
        }
        long what = (long) method << CALLEE | called;
        long address = addressOfAnchor(next, what);
        if (address == 0) {
            return NOWHERE;
        }
        long epoch = U.getLongVolatile(null, header(CURRENT));
        int known = U.getInt(null, address);
        long node = 0;
        if (known != 0) {
            long anchor = ANCHORS + ((long) known << ANCHOR_SHIFT);
            U.putLong(null, anchor + ANCHOR_TAKEN, U.getLong(null, anchor + ANCHOR_TAKEN) + 1);
            if (((U.getLong(null, anchor + ANCHOR_CALL) ^ epoch) & EPOCH) == 0) {
                return epoch | (long) known << ANCHOR;
            }
            node = U.getLong(null, anchor + ANCHOR_NODE);
        } else if (next == UNKNOWN || called == 0 || !named(called, method)
                || mayReclaim() && !$MallardThreads.hidden()) {
            if ($MallardThreads.hidden()) {
                return UNKNOWN;
            }
            long answer = resolve(next == UNKNOWN ? -1 : called == 0 ? 0 : entry(next, called), method, 0);
            if (answer == UNRESOLVED) {
                return NOWHERE;
            }
            node = answer & ~CACHEABLE_MASK;
            if ((answer & ALWAYS) == 0) {
                return node == 0 ? NOWHERE : node;
            }
            if ((answer & IN_SLOT) != 0) {
                node = 0;
            }
        }
        return newAnchor(address, next, what | epoch, node);
    }

    /** Whether a call names a method. */
    private static boolean named(int called, int method) {
        int name = name(method);
        return name == LAMBDA_NAME || name != 0 && said(called) == name;
    }

    /** The method that a call is in. */
    static int caller(int called) {
        return U.getInt(null, calls(called) + CALL_ANNOUNCE);
    }

    /** Number of the first call in a method. */
    private static int first(int method) {
        return U.getInt(null, described(method) + METHOD_FIRST_CALL);
    }

    /** By what a callee is entered that is called by an invocation of a number. */
    private static long entry(long number, int called) {
        int caller = caller(called);
        return slot(node(number, caller), called, caller);
    }

    static long slot(long node, int called, int caller) {
        return node | (long) (called - first(caller) + SLOTS) << SLOT;
    }

    static long header(int word) {
        return TOP + ((long) word << 3);
    }

    /** Address of a number's anchor. */
    static long anchor(long number) {
        return ANCHORS + ((number >>> ANCHOR & ANCHOR_MASK) << ANCHOR_SHIFT);
    }

    /** Where an anchor is in the thread's table, or belongs; 0 where there is no room. */
    private static long addressOfAnchor(long next, long what) {
        long head = head();
        long bytes = U.getLong(null, head + KNOWN_MASK) + 1;
        if (bytes == 1 || 8 * U.getLong(null, head + KNOWN_COUNT) >= bytes) {
            if (!moveAnchors(head, bytes == 1 ? FIRST_KNOWN : 2 * bytes) &&
                (bytes == 1 || 5 * U.getLong(null, head + KNOWN_COUNT) >= bytes)) {
                return 0;
            }
            bytes = U.getLong(null, head + KNOWN_MASK) + 1;
        }
        long table = NODES + U.getLong(null, head + KNOWN_TABLE);
        for (long i = ((next * HASH + what) * HASH >>> CODE_HASH_SHIFT << 2) & bytes - 1; ; i = i + 4 & bytes - 1) {
            int id = U.getInt(null, table + i);
            if (id == 0) {
                return table + i;
            }
            long anchor = ANCHORS + ((long) id << ANCHOR_SHIFT);
            if (U.getLong(null, anchor + ANCHOR_NUMBER) == next
                    && ((U.getLong(null, anchor + ANCHOR_CALL) ^ what) & ~EPOCH) == 0) {
                return table + i;
            }
        }
    }

    /** Gives the thread a larger table of anchors, with those of the current epoch; false without memory. */
    private static boolean moveAnchors(long head, long bytes) {
        long table = take(bytes);
        if (table == 0) {
            return false;
        }
        long last = NODES + U.getLong(null, head + KNOWN_TABLE);
        long size = U.getLong(null, head + KNOWN_MASK) + 1;
        long epoch = U.getLong(null, header(CURRENT));
        long count = 0;
        for (long i = 0; i + 4 <= size; i += 4) {
            int id = U.getInt(null, last + i);
            long anchor = ANCHORS + ((long) id << ANCHOR_SHIFT);
            long what = U.getLong(null, anchor + ANCHOR_CALL);
            if (id == 0 || ((what ^ epoch) & EPOCH) != 0) {
                continue;
            }
            long number = U.getLong(null, anchor + ANCHOR_NUMBER);
            long j = ((number * HASH + (what & ~EPOCH)) * HASH >>> CODE_HASH_SHIFT << 2) & bytes - 1;
            while (U.getInt(null, NODES + table + j) != 0) {
                j = j + 4 & bytes - 1;
            }
            U.putInt(null, NODES + table + j, id);
            count++;
        }
        U.putLong(null, head + KNOWN_TABLE, table);
        U.putLong(null, head + KNOWN_MASK, bytes - 1);
        U.putLong(null, head + KNOWN_COUNT, count);
        return true;
    }

    /** Makes an anchor, and gives the number behind it. */
    private static long newAnchor(long address, long next, long what, long node) {
        long id = unusedAnchor(head());
        if (id == 0) {
            return NOWHERE;
        }
        long anchor = ANCHORS + (id << ANCHOR_SHIFT);
        U.putLong(null, anchor + ANCHOR_NUMBER, next);
        U.putLong(null, anchor + ANCHOR_NODE, node);
        U.putLong(null, anchor + ANCHOR_TAKEN, 1);
        U.putLongRelease(null, anchor + ANCHOR_CALL, what); // last: the recorder may be reading
        if (U.getInt(null, address) == 0) {
            U.putLong(null, head() + KNOWN_COUNT, U.getLong(null, head() + KNOWN_COUNT) + 1);
        }
        U.putInt(null, address, (int) id);
        return what & EPOCH | id << ANCHOR;
    }

    /** Takes an anchor that the recorder has given back, or else a new one; 0 without. */
    private static long unusedAnchor(long head) {
        long id = U.getLong(null, head + USED_ANCHORS);
        if (id != 0) {
            U.putLong(null, head + USED_ANCHORS, U.getLong(null, ANCHORS + (id << ANCHOR_SHIFT) + ANCHOR_TAKEN));
            return id;
        }
        id = U.getLong(null, head + FREE_ANCHOR);
        if (id == U.getLong(null, head + END_ANCHOR)) {
            if (take((long) ANCHOR_BLOCK << ANCHOR_SHIFT) == 0) { // what an anchor takes elsewhere is missing here
                return 0;
            }
            id = U.getAndAddLong(null, header(TAKEN), ANCHOR_BLOCK);
            if (id + ANCHOR_BLOCK > MOST_ANCHORS) {
                return 0;
            }
            U.putLong(null, head + END_ANCHOR, id + ANCHOR_BLOCK);
        }
        U.putLong(null, head + FREE_ANCHOR, id + 1);
        return id;
    }
}
