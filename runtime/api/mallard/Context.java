package mallard;

/**
 * The calling context of the code that asks: the chain of calls from its thread's first frame on. {@code mallard run --track contexts} gives each a number, which {@code mallard
 * decode FILE NUMBER} prints as a stack, also while the program runs.
 *
 * <p>Made for log lines. With a logging library that has a mapped diagnostic context:
 *
 * <pre>{@code
 * MDC.put("context", String.format("%016x", Context.current()));
 * }</pre>
 *
 * <p>And for names of what is being done, by which reports group what was allocated ({@code mallard report --by transaction FILE}):
 *
 * <pre>{@code
 * Context.begin("order");
 * try {
 *     handle(request);
 * } finally {
 *     Context.end();
 * }
 * }</pre>
 *
 * <p>All of this does nothing without Mallard, and where Mallard records no contexts.
 */
public final class Context {
    private Context() {}

    /**
     * Gives the number of the calling method's context, down to the line of this call.
     *
     * @return 0 without Mallard, where Mallard records no contexts, and where its memory for them is full
     */
    public static long current() {
        return 0; // Mallard puts the number in its place
    }

    /**
     * Begins a transaction: what the running thread does from here on, in the calling method and in what that calls, is reported by this name, until {@link #end} or until the calling
     * method is left. Transactions may be inside each other. Call this directly; by reflection, or through a method reference, it does nothing.
     *
     * @param name of some thousands at most, and of 256 characters
     */
    public static void begin(String name) {
        // Mallard looks for calls of this
    }

    /** Ends the innermost transaction that the calling method has begun. It does nothing where that has begun none. */
    public static void end() {
        // and of this
    }
}
