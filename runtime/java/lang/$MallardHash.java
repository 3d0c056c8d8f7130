package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardTable.*;
import static java.lang.$MallardTree.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Contexts by hashes. An invocation has no node but a hash of its context: of the caller's hash, of the call, of the
 * method. It looks for the node where it counts, in a table of its thread. Hashes that are not in the table are new,
 * and the agent takes them apart again (agent/hashes.c): the step is invertible, so a hash whose caller's is known has
 * its node in a slot of the caller's. Others are taken apart along the thread's stack, frame by frame, until one is
 * known. Where that does not come out (native code called, or the VM, between a call and its callee) all frames say it,
 * or the recorder is asked. It says for which hashes its answer is sure to be true again; where it is not sure the
 * invocation goes on with a number made of the node, which is.
 *
 * <p>The step is defined here, and the recorder's calltree follows; for the node of a stack calltree.ResolveHash is the
 * reference. Its TestJava runs both on the same cases.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardHash extends $MallardObjects {
    /** The step, h' = ((h ^ call) + method * METHOD) * STEP, and the number of a node, node * ANCHOR; STEP and ANCHOR
     * are odd, and have inverses modulo 2^64. */
    private static final long METHOD = HASH_METHOD;
    private static final long STEP = HASH_STEP;
    private static final long STEP_BACK = HASH_STEP_BACK;
    private static final long ANCHOR = HASH_ANCHOR;
    private static final long ANCHOR_BACK = HASH_ANCHOR_BACK;

    /** Bytes of what is in front of a table: pairs that the recorder has found, or frames. */
    private static final long FRONT = FRONT_PAIRS * PAIR;

    /** Binary logarithm of half the number of the first table's pairs. */
    private static final long FIRST_TABLE = 6;

    /** Where a call's word of the node stands in an announcement, and its name. */
    private static final int WORD = ANNOUNCE_WORD_SHIFT;
    private static final int NAME = ANNOUNCE_NAME_MASK;

    /** What is announced after a return: no method has this name. */
    private static final int RETURNED = ANNOUNCED_RETURN;

    /** The name of methods that the VM calls between any two instructions: what was announced says nothing about
     * them. */
    private static final int NAMELESS = ANNOUNCED_NAMELESS;

    /** In place of an announcement where an invocation counts. Announcements are even. */
    static final int COUNTS = NOT_ANNOUNCED;

    /** Set in the number of an invocation that was not called by its name, or not by instrumented code: it restores
     * what it was called by. Hashes are even. */
    private static final long RESTORES = 1;

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
        if ((called & NAME) == (node & NAME)) {
            return ((thread.$next ^ called & 0xffffffffL) + method * METHOD) * STEP & -2;
        }
        if ((called & NAME) != 0 || (node & NAME) == NAMELESS) {
            return beginUnannounced(method);
        }
        return ((thread.$next ^ called & 0xffffffffL) + method * METHOD) * STEP | RESTORES;
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
        return ((thread.$next ^ called & 0xffffffffL) + method * METHOD) * STEP | RESTORES;
    }

    /**
     * Says that a virtual thread runs, whose stack begins with the caller: all below is the JDK's, which calls it, and
     * stands in no stack. Called first thing in VirtualThread.run, which begins as what the VM calls in a new thread.
     * In JDK 21 to 23 the carrier runs then still, and mounts the thread in there.
     */
    @DontInline
    @Hidden
    public static void runs() {
        $MallardThreads.show();
        runsHidden();
    }

    /** The same where JVMTI does not tell the stack yet. */
    @DontInline
    @Hidden
    public static void runsHidden() {
        Thread thread = Thread.currentThread();
        if (thread != Thread.currentCarrierThread()) {
            thread.$next = 0;
            thread.$called = 0;
        }
    }

    /** The hash of a callee. */
    @ForceInline
    static long step(long hash, int called, int method) {
        return ((hash ^ called & 0xffffffffL) + method * METHOD) * STEP;
    }

    /** Says what an invocation calls next. */
    @ForceInline
    @Hidden
    public static void announce(long hash, int call) {
        if (U == null) {
            early[NEXT] = hash & -2;
            early[CALLED] = call;
            return;
        }
        Thread thread = Thread.currentThread();
        thread.$next = hash & -2;
        thread.$called = call;
    }

    /**
     * Says that an invocation returns: what its caller, if it announces nothing, calls next is called as this
     * invocation was. One that was called by its name has a caller that announces. The hash is 0 where the invocation
     * has announced nothing.
     */
    @ForceInline
    @Hidden
    public static void end(long hash, int method) {
        if (eager == 0) {
            endEagerly(hash);
            return;
        }
        if ((hash & RESTORES) != 0) {
            Thread thread = Thread.currentThread();
            // which the next to enter takes away again
            thread.$next = (hash & -2) * STEP_BACK - method * METHOD ^ RETURNED;
            thread.$called = RETURNED;
        }
    }

    /** Gives the node in which an invocation counts. */
    @ForceInline
    @Hidden
    public static long node(long hash, int method) {
        if (eager == 0) {
            return (hash & -2) * ANCHOR_BACK;
        }
        long table = Thread.currentThread().$table;
        long pair = NODES + (table & ~TABLE_LOG_MASK) + (hash >>> ~table << PAIR_SHIFT);
        return U.getLong(null, pair) == (hash & -2) ? U.getLong(null, pair + PAIR_NODE) : nodeSlowly(hash & -2, method);
    }

    /** Gives the number of a node for an invocation whose context no hash says. */
    static long anchor(long node) {
        insert(anchored(node), node);
        return anchored(node);
    }

    static long anchored(long node) {
        return node * ANCHOR;
    }

    /** Until the agent can tell stacks, each invocation makes its node. */
    @DontInline
    private static long beginEagerly(int method, int words) {
        long next = U == null ? early[NEXT] : Thread.currentThread().$next;
        long called = (U == null ? early[CALLED] : Thread.currentThread().$called) & 0xffffffffL;
        long entry = called == 0 ? root() : next * ANCHOR_BACK | called >>> WORD << SLOT;
        long node = callee(entry, method);
        if (node == 0) {
            node = child(entry, method, words);
        }
        return node * ANCHOR | RESTORES;
    }

    @DontInline
    private static void endEagerly(long hash) {
        if (hash == 0) {
            return; // its context has not begun
        }
        long entry = get(at((hash & -2) * ANCHOR_BACK, ENTRY));
        boolean outermost = entry == get(wordAt(OUTERMOST));
        announce(outermost ? 0 : (entry & NODE) * ANCHOR, outermost ? 0 : (int) (entry >>> SLOT) << WORD | RETURNED);
    }

    /** How many words the nodes of a method have. */
    static int words(int method) {
        return method == ROOT ? ROOT_WORDS : U.getInt(null, described(method) + METHOD_WORDS);
    }

    @DontInline
    private static long beginUnannounced(int method) {
        Thread thread = Thread.currentThread();
        long next = thread.$next;
        int called = thread.$called;
        long hash = step(next, called, method);
        boolean first = next == 0 && called == 0; // in this thread's stack, as runsHidden says
        if (certain(hash, method) || block() == OVERFLOW || !first && $MallardThreads.hidden() || !ready()) {
            return hash | RESTORES;
        }
        long node = find(next, called, method);
        if (node == 0 || node == UNRESOLVED || certain(hash, method)) {
            return hash | RESTORES;
        }
        return anchor(node) | RESTORES;
    }

    /**
     * Whether what begins unannounced with a hash has the node that the table says. The number of a node is no hash: it
     * comes up here when a method has returned that the VM called, and the VM calls it again, maybe further down or
     * elsewhere in the same caller. Nor does a hash say where an exception is made, unless by Java code: after one was
     * thrown, what was announced last may be long over.
     */
    private static boolean certain(long hash, int method) {
        long node = known(hash);
        return node != 0 && node * ANCHOR != hash && U.getInt(null, described(method) + METHOD_CALLS) >= 0;
    }

    @DontInline
    private static long nodeSlowly(long hash, int method) {
        return get(wordAt(INSIDE)) == 0 ? own(hash, method) : $MallardEntered.node(hash, method);
    }

    /** Gives the node of an invocation in the thread's own tree, whatever transaction the thread is in. */
    @DontInline
    static long own(long hash, int method) {
        long node = known(hash);
        if (node != 0) {
            return node;
        }
        if (block() == OVERFLOW || !ready()) {
            return overflowNode(method);
        }
        node = find(hash, COUNTS, method);
        if (node == UNRESOLVED) {
            return overflowNode(method);
        }
        if (node != 0) {
            return node;
        }
        node = overflowNode(method);
        insert(hash, node);
        return node;
    }

    /**
     * Gives the node of the invocation at the stack's end, and remembers all hashes on the way to one that is known; 0
     * where there is no memory, UNRESOLVED where nobody answers.
     *
     * @param hash of the invocation; if it has just begun, what the thread's last call or return has left
     * @param called what was announced, if it has just begun
     */
    private static long find(long hash, int called, int method) {
        long node = find(block(), hash, called, method, $MallardThreads.hidden());
        $MallardEntered.use(get(wordAt(TABLE)));
        return node;
    }

    /**
     * The same by the agent, given the address of the thread's block, and whether JVMTI does not tell its stack. A call
     * with the block 0 and {@link #eager} for a hash is the first.
     */
    private static native long find(long block, long hash, int called, int method, boolean hidden);

    /** Has the VM look for {@link #find} while that can do no harm. */
    static void bindFind(long end) {
        find(0, end, 0, 0, false);
        eager = end;
    }

    static long calleeOrChild(long entry, int method) {
        long callee = callee(entry, method);
        return callee != 0 ? callee : child(entry, method, words(method));
    }

    // The table.

    /** Gives the node of a hash in the table, 0 without. */
    static long known(long hash) {
        long table = get(wordAt(TABLE));
        $MallardEntered.use(table); // the block, and with it the table, may have been another thread's
        return $MallardTable.known(table, hash, 0);
    }

    /** Makes the thread's table and first node if they are missing; false without memory. */
    private static boolean ready() {
        root();
        return get(wordAt(TABLE)) != 0 || grow();
    }

    /** Puts a hash into the table, unless that is half full and there is no memory for a larger one. */
    static void insert(long hash, long node) {
        if (hash == 0 || node == 0 || known(hash) != 0 || !hasCapacity() && !grow() && isFull()) {
            return;
        }
        put(wordAt(HASHES), get(wordAt(HASHES)) + 1);
        putPair(get(wordAt(TABLE)), hash, node);
    }

    /** Whether the table takes one more hash without growing. */
    private static boolean hasCapacity() {
        return 3 * PAIR * (get(wordAt(HASHES)) + 1) < $MallardTable.bytes(get(wordAt(TABLE)));
    }

    /** Whether it is as full as it may be where it cannot grow. */
    private static boolean isFull() {
        return 2 * PAIR * get(wordAt(HASHES)) >= $MallardTable.bytes(get(wordAt(TABLE)));
    }

    /** Gives the thread a larger table, or its first; false without memory. */
    static boolean grow() {
        return $MallardTable.grow(FIRST_TABLE, FRONT);
    }

    /** Address of the pair that a hash has if nothing is in its way. Its upper bits say which. */
    @ForceInline
    static long home(long table, long hash) {
        return NODES + (table & ~TABLE_LOG_MASK) + (hash >>> ~table << PAIR_SHIFT); // shifted by 63 less the logarithm
    }
}
