package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * The tree of contexts. A node stands for a chain of calls: words 0 to 3 are the number of the innermost method, by
 * what the node is entered, the next node of the same slot, and how often it was entered; then come slots, one for each
 * call in the method, which name the last callee's node; and then the method's counters. Nodes are named by offsets.
 * What enters a method is a slot: the caller's node, and above bit SLOT its word there.
 *
 * <p>Instrumented code calls {@link #enter}, {@link #call} and {@link #leave} where every invocation has its node;
 * {@link $MallardHash} makes nodes here too. Making a node, and taking memory for it, is defined here; the recorder's
 * calltree follows. For the node of a stack calltree.Resolve is the reference. Its TestJava runs both on the same
 * cases.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardTree extends $MallardObjects {
    static final int SLOT = SLOT_SHIFT;
    static final long NODE = (1L << SLOT) - 1;

    /** Words of a node before its slots, and what they are. */
    static final int ENTRY = NODE_ENTRY;
    private static final int SIBLING = NODE_SIBLING;
    static final int ENTERED = NODE_ENTERED;
    static final int SLOTS = NODE_SLOTS;

    /** Bytes of a thread's first chunk, and of its largest. */
    private static final long FIRST_CHUNK = FIRST_CHUNK_BYTES;
    private static final long LAST_CHUNK = LAST_CHUNK_BYTES;

    /** Callees of a slot that are looked through. */
    private static final int MOST_CALLEES = 1 << 16;

    /** Words that the array of the early time may grow to. */
    private static final int EARLY_MOST = 1 << 21;

    /** The name of all bodies of lambdas, which calls of other names come to. */
    static final int LAMBDA = LAMBDA_NAME;

    /** The method of a thread's first node, which has one slot for all that the VM calls. */
    static final int ROOT = ROOT_METHOD;

    /** Whether the agent answers {@link #resolve}. */
    @Stable static boolean resolves;

    private $MallardTree() {}

    /**
     * Gives the node of the invocation that begins, of which a method's first instructions ask.
     *
     * @param words of the node
     */
    @ForceInline
    @Hidden
    public static long enter(int method, int words) {
        if (U == null) {
            return enterSlowly(method, words);
        }
        long entry = Thread.currentThread().$next;
        long node = U.getLong(null, NODES + (entry & NODE) + (entry >>> SLOT << 3));
        if (U.getInt(null, NODES + node) != method) {
            return enterSlowly(method, words);
        }
        long entered = counted(node, ENTERED);
        U.putLong(null, entered, U.getLong(null, entered) + 1);
        return node;
    }

    /** Says that the next method is called from a node. */
    @ForceInline
    @Hidden
    public static void call(long node, int slot) {
        long entry = node | (long) slot << SLOT;
        if (U == null) {
            early[NEXT] = entry;
            return;
        }
        Thread.currentThread().$next = entry;
    }

    /** Says that an invocation returns: what its caller, if it does not count itself, calls next is called as this
     * invocation was. */
    @ForceInline
    @Hidden
    public static void leave(long node) {
        if (U == null) {
            early[NEXT] = get(at(node, ENTRY));
            return;
        }
        Thread.currentThread().$next = U.getLong(null, NODES + node + (ENTRY << 3));
    }

    /** Gives the number of the context of a node, 0 without memory for it, and has it recorded even if nothing is
     * counted there. */
    @Hidden
    public static long current(long node) {
        long here = counted(node, 0) - NODES;
        if (U == null || here < EARLY_NODES) {
            return 0;
        }
        long entered = at(here, ENTERED);
        if (get(entered) == 0) {
            put(entered, 1);
        }
        return here - EARLY_NODES >>> CONTEXT_SHIFT | get(wordAt(TURN)) << TURN_SHIFT;
    }

    private static void name(long node, int method) {
        if (U == null) {
            put(at(node, NODE_METHOD), method & 0xffffffffL);
        } else {
            U.putLongVolatile(null, at(node, NODE_METHOD), method & 0xffffffffL);
        }
    }

    @DontInline
    private static long enterSlowly(int method, int words) {
        if (U != null && block() == OVERFLOW) { // which threads share
            return overflowNode(method);
        }
        long entry = U == null ? early[NEXT] : Thread.currentThread().$next;
        if (entry == 0) {
            entry = root();
        }
        long node = callee(entry, method);
        if (node == 0 && (!expected(entry, method) || mayReclaim()) && !$MallardThreads.hidden()) {
            node = resolve(entry, method, words);
            if (node == UNRESOLVED) {
                return overflowNode(method);
            }
        }
        if (node == 0) {
            node = child(entry, method, words);
        }
        add(counted(node, ENTERED), 1);
        return node;
    }

    /** Makes a node in a slot. */
    static long child(long entry, int method, int words) {
        long node = (entry & NODE) < EARLY_NODES ? 0 : make(words); // contexts of what has no memory have none
        if (node == 0) {
            if (U == null) {
                return early[CHUNK] + CHUNK_HEADER_BYTES; // no longer of use to anybody
            }
            node = overflowNode(method);
            put(at(node, ENTRY), entry);
            return node;
        }
        put(at(node, ENTRY), entry);
        long slot = at(entry & NODE, (int) (entry >>> SLOT));
        put(at(node, SIBLING), get(slot));
        name(node, method); // last: the recorder may be reading
        put(slot, node);
        return node;
    }

    /** Gives what enters by the slot of the thread's first node, and makes that if it is missing. */
    static long root() {
        long known = get(wordAt(OUTERMOST));
        if (known != 0) {
            return known;
        }
        if (U == null) {
            early[CHUNK] = EARLY_NODES;
            early[FREE] = early[CHUNK] + CHUNK_HEADER_BYTES;
            early[END] = early[CHUNK] + ((long) (early.length - earlyCounters) << 3);
        }
        long node = make(ROOT_WORDS);
        if (node == 0) {
            node = overflowNode(0); // which is large enough for one
        }
        put(at(node, NODE_METHOD), ROOT & 0xffffffffL);
        long entry = node | (long) SLOTS << SLOT;
        put(at(node, ENTRY), entry);
        put(wordAt(OUTERMOST), entry);
        return entry;
    }

    /** Finds a callee's node among those of a slot, and makes it the first of them; 0 without. */
    static long callee(long entry, int method) {
        long slot = at(entry & NODE, (int) (entry >>> SLOT));
        long first = get(slot);
        long before = 0;
        int steps = 0;
        for (long node = first; node != 0 && steps < MOST_CALLEES; node = get(at(node, SIBLING))) {
            steps++;
            if ((int) get(at(node, NODE_METHOD)) == method) {
                if (before != 0) {
                    put(at(before, SIBLING), get(at(node, SIBLING)));
                    put(at(node, SIBLING), first);
                    put(slot, node);
                }
                return node;
            }
            before = node;
        }
        return 0;
    }

    /** Whether a method is what a call in the method of a node names. In the early time there is nobody to ask if
     * not. */
    static boolean expected(long entry, int method) {
        if (U == null || !resolves) {
            return true;
        }
        int caller = (int) get(at(entry & NODE, NODE_METHOD));
        int name = name(method);
        if (name == LAMBDA) {
            return true;
        }
        if (caller == ROOT) {
            return false;
        }
        int call = U.getInt(null, described(caller) + METHOD_FIRST_CALL) + (int) (entry >>> SLOT) - SLOTS;
        return name != 0 && said(call) == name;
    }

    /** Whether the recorder has memory for the thread's tree: then the thread asks. */
    static boolean mayReclaim() {
        return U != null && resolves && get(wordAt(RECLAIM)) != 0;
    }

    /** Address of what the recorder says of a call. */
    static long calls(int call) {
        return CALLS + (long) call * CALL_BYTES;
    }

    /** The number of the name of what a call calls, 0 where it does not say. */
    static int said(int call) {
        return U.getInt(null, calls(call) + CALL_NAME);
    }

    /** The number of the name by which a method is called, 0 without. */
    static int name(int method) {
        return U.getInt(null, described(method) + METHOD_NAME);
    }

    /** Address of what the recorder says of a method. */
    static long described(int method) {
        return METHODS + (method & 0xffffffffL) * METHOD_BYTES;
    }

    /** Gives memory for a node, zeroed; 0 where there is no more. */
    static long make(int words) {
        long size = (long) words << 3;
        long node = get(wordAt(FREE));
        if (node + size > get(wordAt(END))) {
            node = span(size);
            if (node == 0) {
                node = chunk(size);
            }
            if (node == 0) {
                return 0;
            }
        }
        put(wordAt(FREE), node + size);
        return node;
    }

    /** Takes memory that nodes have had before; 0 where there is none. Spans that are too small are left to the
     * recorder. */
    private static long span(long size) {
        for (long span = get(wordAt(SPANS)); span != 0; span = get(wordAt(SPANS))) {
            long end = get(at(span, SPAN_END));
            boolean fits = span + size <= end;
            if (fits) {
                put(wordAt(END), end); // before the span is taken: the recorder may be reading where nothing is yet
            }
            put(wordAt(SPANS), get(at(span, SPAN_NEXT)));
            put(at(span, SPAN_NEXT), 0);
            put(at(span, SPAN_END), 0);
            if (fits) {
                return span;
            }
        }
        return 0;
    }

    /** Takes a chunk with room for a node. */
    private static long chunk(long size) {
        if (U == null) {
            if (early.length == EARLY_MOST) {
                return 0;
            }
            long[] larger = new long[2 * early.length];
            for (int i = 0; i < early.length; i++) {
                larger[i] = early[i];
            }
            larger[OWN] += bytes(larger);
            early = larger;
            early[END] = early[CHUNK] + ((long) (early.length - earlyCounters) << 3);
            return early[FREE];
        }
        if (block() == OVERFLOW) { // which threads share
            return 0;
        }
        long last = get(wordAt(CHUNK));
        long bytes = last == 0 ? FIRST_CHUNK : 2 * (get(wordAt(END)) - last);
        if (bytes > LAST_CHUNK || bytes < 0) { // what was free last was a span
            bytes = LAST_CHUNK;
        }
        if (bytes < size + CHUNK_HEADER_BYTES) {
            bytes = size + CHUNK_HEADER_BYTES + CHUNK_UNIT - 1 & -CHUNK_UNIT;
        }
        long chunk = take(bytes);
        if (chunk == 0) {
            return 0;
        }
        put(at(chunk, CHUNK_BEFORE), last);
        put(at(chunk, CHUNK_END), chunk + bytes);
        put(wordAt(END), chunk + bytes);
        put(wordAt(CHUNK), chunk);
        return chunk + CHUNK_HEADER_BYTES;
    }

    /** Takes memory that no thread has; 0 where there is no more. */
    static long take(long bytes) {
        long taken;
        do {
            taken = U.getLong(null, TOP);
            if (taken + bytes > U.getLong(null, LIMIT)) {
                return 0;
            }
        } while (!U.compareAndSetLong(null, TOP, taken, taken + bytes));
        return taken;
    }

    /** The thread's node for all contexts of a method that there was no memory for. It is in the thread's block, in no
     * slot, and so are its callees. */
    static long overflowNode(int method) {
        long node = block() - NODES + U.getLong(null, described(method) + METHOD_OVERFLOW);
        put(at(node, NODE_METHOD), method & 0xffffffffL);
        return node;
    }

    /**
     * Asks the recorder, who has the thread's stack from the agent, for the node of an invocation that begins in
     * another way than by the call that {@code entry} names. 0 leaves it to the caller.
     */
    static native long resolve(long entry, int method, int words);
}
