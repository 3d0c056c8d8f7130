import java.lang.invoke.MethodHandle;

/** Methods that show what contexts put where. */
class Contexts {
    final Object kept;

    /** Object's constructor is no call: without one, and without an allocation, nothing is put in. */
    Contexts(Object o) {
        kept = o;
    }

    /** The node is there before super() or this() is called, whatever frames there are on the way. */
    Contexts(boolean b) {
        this(b ? make() : null);
    }

    /** Counts in its node, and calls nothing. */
    static Object make() {
        return new Object();
    }

    /** Passes its caller on, and counts nothing. */
    static void pass(int n) {
        System.out.println(n);
    }

    /** The first instruction is a branch target: the node is asked for once. */
    static int loop(int n) {
        do {
            n = Integer.parseInt("" + n) - 1;
        } while (n > 0);
        return n;
    }

    /** A handler, a catcher in front of it, and two returns. */
    static Object handled(Object o) {
        try {
            o = new int[o.hashCode()];
            o.notify();
        } catch (IllegalMonitorStateException e) {
            return new StringBuilder();
        }
        return o;
    }

    /** Signature polymorphic: whatever the handle leads to is called. */
    static long handle(MethodHandle h) throws Throwable {
        return (long) h.invokeExact(1L);
    }

    /** Calls what does nothing, which needs no context, and allocates at times, which does. */
    static Object atTimes(int n) {
        if (nothing(n) > 0) {
            throw new IllegalStateException();
        }
        return n < 0 ? new int[2] : null;
    }

    static int nothing(int n) {
        return n;
    }
}
