package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardCode.*;
import static java.lang.$MallardTable.*;
import static java.lang.$MallardTree.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What numbers of contexts stand for: they are taken apart call by call, back to one whose node is known, and then
 * remembered in a table of the thread.
 *
 * <p>The reference for the node of a stack is the recorder's calltree.ResolveCode, for the calls of an epoch its
 * calltree.BeginEpoch; calltree's TestJava runs both on the same cases.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
final class $MallardDecoder {
    // In front of the thread's table are words about its anchors, and calls that are being decoded.

    private static final long FIRST_TABLE = 5;
    private static final int DEPTH = DECODED_DEPTH;
    private static final long HEAD = DECODED_CALLS + DEPTH * DECODED_BYTES;

    private $MallardDecoder() {}

    /** Where in a table a number is looked for first. */
    @ForceInline
    static long home(long table, long number, int method) {
        // shifted by 63 less the logarithm
        return NODES + (table & ~TABLE_LOG_MASK) + ((number + method * HASH) * HASH >>> ~table << PAIR_SHIFT);
    }

    /** Address of what is in front of the thread's table. */
    static long head() {
        return start(get(wordAt(TABLE))) - HEAD;
    }

    /** Gives the call that a number ends with whose value is not 0: what it adds and which it is. */
    static long step(long number, int method) {
        int epoch = EPOCHS + 2 * (int) (number >>> NUMBER_EPOCH_SHIFT);
        long ends = NODES + U.getLong(null, $MallardCode.header(epoch)) + ((long) method << EDGE_START_SHIFT);
        long calls = NODES + U.getLong(null, $MallardCode.header(epoch + 1));
        long value = number & VALUE;
        int low = U.getInt(null, ends);
        int high = U.getInt(null, ends + (1 << EDGE_START_SHIFT)) - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (U.getLong(null, calls + ((long) middle << EDGE_BYTES_SHIFT)) >>> CALL_BITS <= value) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return U.getLong(null, calls + ((long) low << EDGE_BYTES_SHIFT));
    }

    @DontInline
    static long nodeSlowly(long number, int method) {
        return get(wordAt(INSIDE)) == 0 ? own(number, method) : $MallardEntered.node(number, method);
    }

    /** Gives the node of an invocation in the thread's own tree, whatever transaction the thread is in. */
    static long own(long number, int method) {
        if ((number & EPOCH) == 0 && number > UNKNOWN) {
            return number;
        }
        if (number == NOWHERE || block() == OVERFLOW || !ready()) {
            return overflowNode(method);
        }
        $MallardEntered.use(get(wordAt(TABLE))); // the block, and with it the table, may have been another thread's
        long node;
        if (number == UNKNOWN) {
            node = $MallardThreads.hidden() ? 0 : resolve(-1, method, 0) & ~CACHEABLE_MASK;
            return node != 0 && node != UNRESOLVED ? node : overflowNode(method);
        }
        node = known(number, method);
        return node != 0 ? node : decode(number, method);
    }

    /** Finds the node of a number: goes back to the first caller whose node is known, and from there forward again.
     * Where that is too far, its callers come first. */
    private static long decode(long number, int method) {
        long from = number;
        int of = method;
        boolean far = false;
        for (;;) {
            long at = from;
            int callee = of;
            long node = 0;
            int n = 0;
            for (;; n++) {
                if ((at & EPOCH) == 0 && at <= UNKNOWN) { // the anchor of what is no more
                    return overflowNode(method);
                }
                node = (at & EPOCH) == 0 ? at : known(at, callee);
                if (node == 0 && (at & VALUE) == 0) {
                    node = U.getLong(null, anchor(at) + ANCHOR_NODE);
                    if (node != 0) {
                        insert(at, node, far);
                    }
                }
                if (node != 0 || n == DEPTH) {
                    break;
                }
                long next;
                int called;
                if ((at & VALUE) == 0) {
                    next = U.getLong(null, anchor(at) + ANCHOR_NUMBER);
                    called = (int) U.getLong(null, anchor(at) + ANCHOR_CALL);
                } else {
                    long step = step(at, callee);
                    next = at - (step >>> CALL_BITS);
                    called = (int) (step & CALL);
                }
                long decoded = decoded(n);
                U.putLong(null, decoded + DECODED_NUMBER, at);
                U.putInt(null, decoded + DECODED_METHOD, callee);
                U.putInt(null, decoded + DECODED_CALL, called);
                at = next;
                callee = caller(called);
            }
            if (node == 0) {
                from = at;
                of = callee;
                far = true;
                continue;
            }
            boolean kept = true;
            while (n-- > 0) {
                long decoded = decoded(n);
                int called = U.getInt(null, decoded + DECODED_CALL);
                callee = U.getInt(null, decoded + DECODED_METHOD);
                long entry = slot(node, called, caller(called));
                node = callee(entry, callee);
                if (node == 0) {
                    node = child(entry, callee, U.getInt(null, described(callee) + METHOD_WORDS));
                }
                kept = insert(U.getLong(null, decoded + DECODED_NUMBER), node, far);
            }
            if (from == number && of == method) {
                return node;
            }
            if (!kept) {
                return overflowNode(method);
            }
            from = number;
            of = method;
        }
    }

    /** Address of a call that is being decoded. */
    private static long decoded(int n) {
        return head() + DECODED_CALLS + (long) n * DECODED_BYTES;
    }

    private static long known(long number, int method) {
        return $MallardTable.known(get(wordAt(TABLE)), number, method);
    }

    /** Makes the thread's table and first node if they are missing; false without memory. */
    static boolean ready() {
        root();
        return get(wordAt(TABLE)) != 0 || grow(FIRST_TABLE, HEAD);
    }

    /** Puts a number into the table; false without memory. Unless they are all needed, others make room for it that are
     * of earlier epochs. */
    private static boolean insert(long number, long node, boolean needed) {
        if (has(1, 2)) {
            if (!needed) {
                clean();
            }
            if (has(1, 4) && !grow(FIRST_TABLE, HEAD) && has(3, 4)) {
                return false;
            }
        }
        add(wordAt(HASHES), 1);
        putPair(get(wordAt(TABLE)), number, node);
        return true;
    }

    /** Whether a part of the table is taken. */
    private static boolean has(int part, int of) {
        return of * PAIR * get(wordAt(HASHES)) >= part * bytes(get(wordAt(TABLE)));
    }

    /** Takes numbers of earlier epochs out of the table: most will not come again, the others can be decoded again. */
    private static void clean() {
        long table = get(wordAt(TABLE));
        long epoch = U.getLong(null, $MallardCode.header(CURRENT));
        long gap = start(table);
        while (U.getLong(null, gap) != 0) {
            gap += PAIR;
        }
        long n = 0;
        // from a gap on none moves behind where it was
        for (long pair = after(gap, table); pair != gap; pair = after(pair, table)) {
            long number = U.getLong(null, pair);
            if (number == 0) {
                continue;
            }
            U.putLong(null, pair, 0);
            if (((number ^ epoch) & EPOCH) == 0) {
                putPair(table, number, U.getLong(null, pair + PAIR_NODE));
                n++;
            }
        }
        put(wordAt(HASHES), n);
    }
}
