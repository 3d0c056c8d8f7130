package mallard;

/**
 * The calling context of the code that asks: the chain of calls from its thread's first frame on. {@code mallard run
 * --track contexts} gives each a number, which {@code mallard decode FILE NUMBER} prints as a stack, also while the
 * program runs.
 *
 * <p>Made for log lines. With a logging library that has a mapped diagnostic context:
 *
 * <pre>{@code
 * MDC.put("context", String.format("%016x", Context.current()));
 * }</pre>
 *
 * <p>And for names of what is being done, by which reports group what was allocated ({@code mallard report --by
 * transaction FILE}):
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
 * <p>Where one method is called before something is done and another one behind it, as those of interceptors, filters
 * and listeners are, the thread enters a transaction and leaves it:
 *
 * <pre>{@code
 * public boolean preHandle(HttpServletRequest request, ...) {
 *     Context.enter("order");
 *     return true;
 * }
 *
 * public void afterCompletion(HttpServletRequest request, ...) {
 *     Context.exit("order");
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
     * Begins a transaction: what the running thread does from here on, in the calling method and in what that calls, is
     * reported by this name, until {@link #end} or until the calling method is left. Transactions may be inside each
     * other. Call this directly; by reflection, or through a method reference, it does nothing.
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

    /**
     * Enters a transaction: what the running thread does from here on is reported by this name, in whatever method,
     * until it calls {@link #exit} with the same name, or ends. Transactions may be inside each other, sixteen at most;
     * those that methods {@link #begin} are inside of those that their thread has entered. Call this directly.
     *
     * @param name as for {@link #begin}
     */
    public static void enter(String name) {
        // and of this
    }

    /**
     * Leaves the innermost transaction of this name that the running thread has entered, and those inside it that it
     * has not left. It does nothing where there is none.
     *
     * @param name that it was entered by
     */
    public static void exit(String name) {
        // and of this
    }

    /**
     * Says by how much a test that has ended is over its budget, given the name of its transaction. It waits for that.
     *
     * @return null where it is not, without Mallard, and where Mallard does not know
     */
    static String overBudget(String name) {
        return null; // Mallard puts what it has to say in its place
    }
}
