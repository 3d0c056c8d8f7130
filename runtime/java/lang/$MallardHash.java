package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardTree.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Contexts by hashes. An invocation has no node but a hash of its context: of the caller's hash, of the call, of the method. It looks for the node where it
 * counts, in a table of its thread. Hashes that are not in the table are taken apart again: the step is invertible, so a hash whose caller's is known has
 * its node in a slot of the caller's. For the others the recorder looks at the thread's stack. It says for which hashes that is sure to be true again; what
 * it is not sure of (a method that the VM called between a call and its callee) goes on with a number made of the node, which is sure.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardHash {
    /** The step, h' = ((h ^ call) + method) * STEP, and the number of a node, node * ANCHOR; both odd, with their inverses modulo 2^64. */
    private static final long STEP = 0xd1342543de82ef95L;
    private static final long STEP_BACK = 0x572b5ee77a54e3bdL;
    private static final long ANCHOR = 0x9e3779b97f4a7c15L;
    private static final long ANCHOR_BACK = 0xf1de83e19937733dL;

    /** Bytes of a pair of a hash and a node; of the pairs in front of a table; of the first table. */
    private static final long PAIR = 16;
    private static final long PAIRS = 64 * PAIR;
    private static final long FIRST_TABLE = 128 * PAIR;

    /** Where a call's word of the node stands in an announcement, and its name. */
    private static final int WORD = 16;
    private static final int NAME = 0xffff;

    /** What is announced after a return: no method has this name. */
    private static final int RETURNED = 0xfffe;

    /** The name of methods that the VM calls between any two instructions: what was announced says nothing about them. */
    private static final int NAMELESS = 0xffff;

    /** End of the nodes that were made before hashes were; 0 until then. */
    @Stable static long eager;

    private $MallardHash() {}

    /**
     * Gives the number of the invocation that begins: a hash of its context.
     *
     * @param node the number of its words, and the method's name, as announcements have it
     */
    @ForceInline
    @Hidden
    public static long begin(int method, int node) {
        if (eager == 0) {
            return beginEagerly(method, node >>> WORD);
        }
        Thread thread = Thread.currentThread();
        int called = thread.$called;
        if ((called & NAME) != (node & NAME) && ((called & NAME) != 0 || (node & NAME) == NAMELESS)) {
            return beginUnannounced(method);
        }
        return ((thread.$next ^ called) + method) * STEP;
    }

    /** The same for a method that calls of any name come to. */
    @ForceInline
    @Hidden
    public static long beginAny(int method, int node) {
        if (eager == 0) {
            return beginEagerly(method, node >>> WORD);
        }
        Thread thread = Thread.currentThread();
        int called = thread.$called;
        if ((called & NAME) == RETURNED) {
            return beginUnannounced(method);
        }
        return ((thread.$next ^ called) + method) * STEP;
    }

    /** Says what an invocation calls next. */
    @ForceInline
    @Hidden
    public static void announce(long hash, int call) {
        if (U == null) {
            early[NEXT] = hash;
            early[CALLED] = call;
            return;
        }
        Thread thread = Thread.currentThread();
        thread.$next = hash;
        thread.$called = call;
    }

    /** Says that an invocation returns: what its caller, if it announces nothing, calls next is called as this invocation was. */
    @ForceInline
    @Hidden
    public static void end(long hash, int method) {
        if (eager == 0) {
            endEagerly(hash);
            return;
        }
        Thread thread = Thread.currentThread();
        thread.$next = hash * STEP_BACK - method ^ RETURNED; // which the next to enter takes away again
        thread.$called = RETURNED;
    }

    /** Gives the node in which an invocation counts. */
    @ForceInline
    @Hidden
    public static long node(long hash, int method) {
        if (eager == 0) {
            return hash * ANCHOR_BACK;
        }
        long page = page();
        long pair = NODES + U.getLong(null, page + (TABLE << 3)) + ((hash >>> 32 << 4) & U.getLong(null, page + (MASK << 3)));
        return U.getLong(null, pair) == hash ? U.getLong(null, pair + 8) : nodeSlowly(hash, method);
    }

    /** Until the agent can tell stacks, each invocation makes its node. */
    @DontInline
    private static long beginEagerly(int method, int words) {
        long next = U == null ? early[NEXT] : Thread.currentThread().$next;
        long called = U == null ? early[CALLED] : Thread.currentThread().$called;
        long entry = called == 0 ? root() : next * ANCHOR_BACK | called >>> WORD << SLOT;
        long node = callee(entry, method);
        if (node == 0) {
            node = child(entry, method, words);
        }
        return node * ANCHOR;
    }

    @DontInline
    private static void endEagerly(long hash) {
        long entry = get(at(hash * ANCHOR_BACK, ENTRY));
        boolean outermost = entry == get(at(OUTERMOST));
        announce(outermost ? 0 : (entry & NODE) * ANCHOR, outermost ? 0 : (int) (entry >>> SLOT) << WORD | RETURNED);
    }

    /** How many words the nodes of a method have. */
    private static int words(int method) {
        return method == ROOT ? SLOTS + 1 : U.getInt(null, described(method) + 16);
    }

    @DontInline
    private static long beginUnannounced(int method) {
        Thread thread = Thread.currentThread();
        long next = thread.$next;
        int called = thread.$called;
        long hash = ((next ^ called) + method) * STEP;
        if (certain(hash) || page() == OVERFLOW || hidden() || !ready()) {
            return hash;
        }
        long node = resolve(next, method, called);
        learn();
        if (node == 0 || certain(hash)) {
            return hash;
        }
        insert(node * ANCHOR, node);
        return node * ANCHOR;
    }

    /**
     * Whether what begins unannounced with a hash has the node that the table says. The number of a node is no hash: it comes up here when a method has returned that the VM
     * called, and the VM calls it again, maybe further down or elsewhere in the same caller.
     */
    private static boolean certain(long hash) {
        long node = known(hash);
        return node != 0 && node * ANCHOR != hash;
    }

    @DontInline
    private static long nodeSlowly(long hash, int method) {
        long node = known(hash);
        if (node != 0) {
            return node;
        }
        if (page() == OVERFLOW || !ready()) {
            return flat(method);
        }
        node = hash * ANCHOR_BACK;
        if (node > 0 && node < eager && (node & 7) == 0 && node >= EARLY_NODES && (int) get(at(node, 0)) == method) {
            insert(hash, node);
            return node;
        }
        node = ofKnownCaller(hash * STEP_BACK - method, method);
        if (node == 0 && (full() || hidden())) {
            return flat(method);
        }
        if (node == 0) {
            node = resolve(hash, method, -1);
            learn();
            if (node != 0) {
                return node;
            }
            node = flat(method);
        }
        insert(hash, node);
        return node;
    }

    /** Whether the table has no room for another hash. */
    private static boolean full() {
        long bytes = get(at(MASK)) + PAIR;
        return 2 * PAIR * get(at(HASHES)) >= bytes && U.getLong(null, TOP) + 2 * bytes + PAIRS > U.getLong(null, LIMIT);
    }

    /** Gives what a call leads to whose caller's hash is in the table; 0 if none is. */
    private static long ofKnownCaller(long entered, int method) {
        if (entered >>> 32 == 0) {
            return 0; // the VM
        }
        long table = get(at(TABLE));
        long mask = get(at(MASK));
        for (long i = entered >>> 32 << 4 & mask; ; i = i + PAIR & mask) {
            long caller = U.getLong(null, NODES + table + i);
            if (caller == 0) {
                return 0;
            }
            long called = caller ^ entered;
            if (called >>> 31 != 0) {
                continue;
            }
            long node = U.getLong(null, NODES + table + i + 8);
            long entry = node | called >>> WORD << SLOT;
            if (announced(entry) == called && expected(entry, method)) {
                long callee = callee(entry, method);
                return callee != 0 ? callee : child(entry, method, words(method));
            }
        }
    }

    /** Gives the node of a hash in the table, 0 without, and makes it the first that is looked at. */
    private static long known(long hash) {
        long page = page();
        long table = NODES + U.getLong(null, page + (TABLE << 3));
        long mask = U.getLong(null, page + (MASK << 3));
        if (mask == 0) {
            return 0;
        }
        long home = table + (hash >>> 32 << 4 & mask);
        for (long at = home; ; at = table + (at + PAIR - table & mask)) {
            long found = U.getLong(null, at);
            if (found == 0) {
                return 0;
            }
            if (found == hash) {
                long node = U.getLong(null, at + 8);
                if (at != home) { // both are still found: there is no gap between
                    long other = U.getLong(null, home);
                    long otherNode = U.getLong(null, home + 8);
                    U.putLong(null, home, hash);
                    U.putLong(null, home + 8, node);
                    U.putLong(null, at, other);
                    U.putLong(null, at + 8, otherNode);
                }
                return node;
            }
        }
    }

    /** Makes the thread's table and first node if they are missing; false without memory. */
    private static boolean ready() {
        root();
        return get(at(TABLE)) != 0 || table(FIRST_TABLE) != 0;
    }

    /** Takes what the recorder has found out. */
    private static void learn() {
        long pairs = get(at(TABLE)) - PAIRS;
        for (long n = get(at(LEARNED)); n > 0; n--, pairs += PAIR) {
            insert(U.getLong(null, NODES + pairs), U.getLong(null, NODES + pairs + 8));
        }
        put(at(LEARNED), 0);
    }

    /** Puts a hash into the table, unless that is full and there is no memory for a larger one. */
    private static void insert(long hash, long node) {
        long bytes = get(at(MASK)) + PAIR;
        long n = get(at(HASHES));
        if (hash == 0 || node == 0 || known(hash) != 0 || 3 * PAIR * n >= bytes && table(2 * bytes) == 0 && 2 * PAIR * n >= bytes) {
            return;
        }
        put(at(HASHES), n + 1);
        place(get(at(TABLE)), get(at(MASK)), hash, node);
    }

    private static void place(long table, long mask, long hash, long node) {
        long i = hash >>> 32 << 4 & mask;
        while (U.getLong(null, NODES + table + i) != 0) {
            i = i + PAIR & mask;
        }
        U.putLong(null, NODES + table + i + 8, node);
        U.putLong(null, NODES + table + i, hash);
    }

    /** Gives the thread a table of so many bytes, with what is in the one that it has; 0 without memory. */
    private static long table(long bytes) {
        long table = take(bytes + PAIRS);
        if (table == 0) {
            return 0;
        }
        table += PAIRS;
        long last = get(at(TABLE));
        long size = last == 0 ? 0 : get(at(MASK)) + PAIR;
        for (long i = 0; i < size; i += PAIR) {
            long hash = U.getLong(null, NODES + last + i);
            if (hash != 0) {
                place(table, bytes - PAIR, hash, U.getLong(null, NODES + last + i + 8));
            }
        }
        put(at(TABLE), table);
        put(at(MASK), bytes - PAIR);
        return table;
    }
}
