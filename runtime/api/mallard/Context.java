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
}
