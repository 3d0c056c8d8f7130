package mallard.portable;

/** Where each thread has its counters. What counts does not touch this class before {@link Gate} is open. */
final class Own {
    /** What is in place of a thread's counters where it has none of its own: no chunks. */
    static final long[][] NONE = new long[Counters.CHUNKS][];

    static final ThreadLocal<Threads.Owner> OWN = new ThreadLocal<Threads.Owner>() {
        @Override
        protected Threads.Owner initialValue() {
            return Threads.current();
        }
    };

    static {
        start();
    }

    private Own() {}

    /** Loads all classes now: later, the jar may be closed, or memory used up. */
    private static void start() {
        Sizes.load();
        Tree.load();
        Transactions.load();
        Made.load();
        Asked.load();
        Threads.load();
        Recording.start();
    }

    /** Sees to it that this class is initialised. */
    static void load() {}
}
