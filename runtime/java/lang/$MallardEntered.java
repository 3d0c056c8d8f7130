package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardTable.*;
import static java.lang.$MallardTree.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Transactions that a thread enters and leaves: what stands behind calls of mallard.Context.enter and exit. What the
 * thread does in between is in the transaction, whichever invocation does it. So the transaction is the first caller of
 * all: its node stands beside the thread's first frames, and below it there is a second tree. Invocations have the
 * hashes, numbers and nodes that they have anyway, and the agent and the recorder are asked about those of the thread's
 * own tree alone. Only where something is counted the thread looks into another table: that of the transaction that it
 * is in, from hashes, numbers or nodes to those of the transaction's tree. What is missing there is looked for as ever,
 * and has its mirror made.
 *
 * <p>Callers of the invocation that enters or leaves have counted, on paths, what they make later, or not yet what they
 * have made. How much that is follows from the places where they stand, which are the context. So it is enough to count
 * how often a transaction was entered or left from each: in a node in the slot of that call, from which the recorder
 * makes the rest.
 *
 * <p>The reference for mirrors is the recorder's calltree.Mirror, which is asked where no call of ours led to a node;
 * calltree's TestJava runs both on the same cases.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules.
 */
public final class $MallardEntered {
    /** Words of a transaction's node behind its slot: the table of its tree, how many pairs that has; in a node that
     * counts how often one was entered or left, where the thread was then. */
    private static final int TABLE_INSIDE = TRANSACTION_TABLE;
    private static final int PAIRS = TRANSACTION_PAIRS;
    private static final int TO = TRANSACTION_TO;

    /** How many transactions a thread may have entered and not left. More would be those of a program that forgets to
     * leave them. */
    private static final int MOST = 16;

    /** Bytes of what is in front of a table: callers whose mirrors are being made. Binary logarithm of half the number
     * of the first table's pairs. */
    private static final int CALLERS = 128;
    private static final long FRONT = CALLERS << 3;
    private static final long FIRST_TABLE = 5;

    /** Whether a thread was in so many, and was to enter one more. */
    private static boolean full;

    /** Whether {@link $Mallard#counted} is called where invocations with nodes count. */
    private static boolean retransformed;

    private $MallardEntered() {}

    /** Has that called from now on; false if the VM refuses. */
    private static native boolean retransformRuntime();

    /** Has the recording say that a thread was to enter more than it may. */
    private static native void full(int most);

    /** The thread enters a transaction, by the call in a slot of an invocation that has this hash. */
    @Hidden
    public static void enterHash(String name, long hash, int method, int slot) {
        if ($MallardHash.eager != 0) {
            enter(name, $MallardHash.own(hash & -2, method), slot);
        }
    }

    /** The same for numbers that are decoded. */
    @Hidden
    public static void enterCode(String name, long number, int method, int slot) {
        if (resolves) {
            enter(name, $MallardDecoder.own(number, method), slot);
        }
    }

    /** The same for nodes, in which code counts without a look into tables: from the first time on it looks. */
    @Hidden
    public static void enterTree(String name, long node, int method, int slot) {
        if (resolves && (retransformed || (retransformed = retransformRuntime()))) {
            enter(name, node, slot);
        }
    }

    /** The thread leaves a transaction, and those that it has entered since. */
    @Hidden
    public static void exitHash(String name, long hash, int method, int slot) {
        if ($MallardHash.eager != 0 && get(wordAt(INSIDE)) != 0) {
            exit(name, $MallardHash.own(hash & -2, method), slot);
        }
    }

    /** The same for numbers that are decoded. */
    @Hidden
    public static void exitCode(String name, long number, int method, int slot) {
        if (resolves && get(wordAt(INSIDE)) != 0) {
            exit(name, $MallardDecoder.own(number, method), slot);
        }
    }

    /** The same for nodes. */
    @Hidden
    public static void exitTree(String name, long node, int method, int slot) {
        if (retransformed && get(wordAt(INSIDE)) != 0) {
            exit(name, node, slot);
        }
    }

    private static void enter(String name, long own, int slot) {
        int number = own < EARLY_NODES ? 0 : $MallardTransactions.numberOf(name);
        long from = get(wordAt(INSIDE));
        if (number == 0) {
            return;
        }
        if (depth(from) == MOST) {
            if (!full) {
                full = true;
                full(MOST);
            }
            return;
        }
        long to = $MallardTransactions.go(from == 0 ? root() : in(from), number);
        if (to != 0 && (get(at(to, TABLE_INSIDE)) != 0 || grow(to))) {
            cross(own, slot, number, from, to);
            $MallardTransactions.began(to);
            add(at(to, ENTERED), 1);
        }
    }

    private static void exit(String name, long own, int slot) {
        int number = $MallardTransactions.numberOf(name);
        long from = get(wordAt(INSIDE));
        long left = from;
        while (left != 0 && (int) get(at(left, NODE_METHOD)) != number) {
            left = around(left);
        }
        if (left != 0) {
            cross(own, slot, number, from, around(left));
            $MallardTransactions.ended(left);
        }
    }

    /** From here on the thread is in another transaction, 0 for none. */
    private static void cross(long own, int slot, int number, long from, long to) {
        long here = own < EARLY_NODES ? 0 : mirror(own, from);
        // and those of all callers, before the recorder sees that they are asked for
        long there = here < EARLY_NODES ? 0 : mirror(own, to);
        if (block() == OVERFLOW) { // the thread had to leave its tree
            return;
        }
        long transition = there < EARLY_NODES ? 0 : $MallardTransactions.go(here | (long) slot << SLOT, number);
        if (transition != 0) {
            put(at(transition, TO), to == 0 ? root() & NODE : to);
        }
        put(wordAt(INSIDE), to);
        Thread.currentThread().$table = get(to == 0 ? wordAt(TABLE) : at(to, TABLE_INSIDE));
        if (transition != 0) {
            add(at(transition, ENTERED), 1);
        }
    }

    /** The transaction around one, 0 for none. */
    private static long around(long inside) {
        long around = get(at(inside, ENTRY)) & NODE;
        return (int) get(at(around, NODE_METHOD)) == ROOT ? 0 : around;
    }

    private static int depth(long inside) {
        int depth = 0;
        for (; inside != 0; inside = around(inside)) {
            depth++;
        }
        return depth;
    }

    /** By what is entered what stands first in a transaction. */
    private static long in(long inside) {
        return inside | (long) SLOTS << SLOT;
    }

    /** Says where the thread looks for nodes of its own tree. */
    static void use(long table) {
        if (get(wordAt(INSIDE)) == 0) {
            Thread.currentThread().$table = table;
        }
    }

    /** Gives the node in which an invocation counts, in the transaction that the thread is in. */
    @DontInline
    static long node(long number, int method) {
        long inside = get(wordAt(INSIDE));
        Thread.currentThread().$table = get(at(inside, TABLE_INSIDE)); // the block may have been another thread's
        long node = known(inside, number, method);
        if (node != 0) {
            return node;
        }
        long own = $MallardCode.is() ? $MallardDecoder.own(number, method) : $MallardHash.own(number, method);
        if (own < EARLY_NODES) {
            return own; // shared by all contexts of the method
        }
        node = mirror(own, inside);
        if ($MallardCode.is() ? $MallardCode.isSure(number) : $MallardHash.known(number) != 0) {
            insert(inside, number, method, node);
        }
        return node;
    }

    /** The same for an invocation that has a node. */
    @ForceInline
    static long here(long node) {
        long table = Thread.currentThread().$table;
        return table == 0 ? node : here(table, node);
    }

    private static long here(long table, long node) {
        long number = $MallardHash.anchored(node);
        long pair = $MallardHash.home(table, number);
        return U.getLong(null, pair) == number ? U.getLong(null, pair + PAIR_NODE) : hereSlowly(node);
    }

    @DontInline
    private static long hereSlowly(long node) {
        return node < EARLY_NODES || $MallardThreads.hidden() ? node : mirror(node, get(wordAt(INSIDE)));
    }

    /** The number that stands for a node of the thread's own, whatever hash or sum it has besides. */
    private static long number(long own) {
        return $MallardCode.is() ? own : $MallardHash.anchored(own);
    }

    private static int method(long node) {
        return (int) get(at(node, NODE_METHOD));
    }

    /**
     * Gives the node in a transaction's tree that stands for the same context as one of the thread's own, and makes it
     * and those of its callers if they are missing. Starting at the last caller that has one: there are as many callers
     * as there are frames.
     */
    private static long mirror(long own, long inside) {
        if (inside == 0) {
            return own;
        }
        for (;;) {
            long at = own;
            int n = 0;
            long there;
            while ((there = method(at) == ROOT ? inside : known(inside, number(at), method(at))) == 0) {
                if (get(at(at, NODE_METHOD)) < 0) { // no call of ours led there
                    there = find($MallardThreads.blockNumber(), at, inside);
                    insert(inside, number(at), method(at), there);
                    break;
                }
                U.putLong(null, caller(inside, n++), at);
                at = get(at(at, ENTRY)) & NODE;
            }
            int made = 0;
            for (; made < n && made < CALLERS && there >= EARLY_NODES; made++) {
                at = U.getLong(null, caller(inside, n - 1 - made));
                there = $MallardHash.calleeOrChild(there | get(at(at, ENTRY)) & ~NODE, method(at));
                insert(inside, number(at), method(at), there);
            }
            if (there < EARLY_NODES) { // no memory
                return overflowNode(method(own));
            }
            if (made == n) {
                return there;
            }
        }
    }

    /** Address in front of a table where the last callers are. */
    private static long caller(long inside, int n) {
        return start(get(at(inside, TABLE_INSIDE))) - FRONT + ((long) (n & CALLERS - 1) << 3);
    }

    /** Has the recorder find the mirror of a node that no call of ours led to; 0 without memory. */
    private static native long find(int block, long own, long inside);

    /** Has the VM look for {@link #find} while that can do no harm. */
    static void bind() {
        find(0, 0, 0);
    }

    private static long known(long inside, long number, int method) {
        return $MallardTable.known(get(at(inside, TABLE_INSIDE)), number, method);
    }

    /** Puts a number into the table of a transaction, unless that is half full and there is no memory for a larger
     * one. */
    private static void insert(long inside, long number, int method, long node) {
        if (node < EARLY_NODES || known(inside, number, method) != 0) {
            return;
        }
        long bytes = bytes(get(at(inside, TABLE_INSIDE)));
        long taken = PAIR * (get(at(inside, PAIRS)) + 1);
        if (3 * taken > bytes && !grow(inside) && 2 * taken > bytes) {
            return;
        }
        add(at(inside, PAIRS), 1);
        putPair(get(at(inside, TABLE_INSIDE)), number, node);
    }

    /** Gives a transaction a larger table, or its first; false without memory. */
    private static boolean grow(long inside) {
        long table = larger(get(at(inside, TABLE_INSIDE)), FIRST_TABLE, FRONT);
        if (table == 0) {
            return false;
        }
        put(at(inside, TABLE_INSIDE), table);
        if (get(wordAt(INSIDE)) == inside) {
            Thread.currentThread().$table = table;
        }
        return true;
    }
}
