package mallardca;

/** The one thread that runs the runtime classes' methods, with the fields that Mallard adds to java.lang.Thread. */
public final class Thread {
    static final Thread CURRENT = new Thread();

    public long $mallard;
    public long $next;
    public long $table;
    public int $called;

    private Thread() {}

    public static Thread currentThread() {
        return CURRENT;
    }

    public static Thread currentCarrierThread() {
        return CURRENT;
    }

    static void announce(long next, int called) {
        CURRENT.$next = next;
        CURRENT.$called = called;
    }

    static void block(long offset) {
        CURRENT.$mallard = offset;
    }
}
