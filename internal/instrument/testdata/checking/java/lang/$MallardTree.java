package java.lang;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What instrumented code with contexts calls: it checks that each invocation has a node of its own all along, and ends the program where one has not.
 * The classes of java.base must not call it.
 */
public final class $MallardTree extends $MallardObjects {
    private static final AtomicLong NODES = new AtomicLong();
    private static final ThreadLocal<Invocation> LAST = new ThreadLocal<>();
    private static final AtomicLong CALLS = new AtomicLong();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread($MallardTree::report));
    }

    private $MallardTree() {}

    private static void report() {
        if (CALLS.get() > 0) {
            System.err.println(CALLS + " calls");
        }
    }

    /** An invocation that has not returned. */
    private record Invocation(long node, int words, Invocation caller) {}

    public static long enter(int method, int words) {
        check(method >= 1_000_000 && words >= 4, "method " + method + " with " + words + " words");
        long node = NODES.incrementAndGet() << 32;
        LAST.set(new Invocation(node, words, LAST.get()));
        return node;
    }

    public static void call(long node, int slot) {
        CALLS.incrementAndGet();
        at(node, slot);
    }

    public static void leave(long node) {
        LAST.set(running(node).caller);
    }

    /** The invocation with a node; those above have ended by exceptions. */
    private static Invocation running(long node) {
        Invocation i = LAST.get();
        while (i != null && i.node != node) {
            i = i.caller;
        }
        check(i != null, "no invocation has node " + node);
        LAST.set(i);
        return i;
    }

    static void at(long node, int word) {
        Invocation i = running(node);
        check(word >= 4 && word < i.words, "word " + word + " of " + i.words);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            System.err.println(what);
            new Throwable().printStackTrace();
            Runtime.getRuntime().halt(99);
        }
    }
}
