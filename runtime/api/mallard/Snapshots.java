package mallard;

/**
 * Is told what the program has allocated, while it runs. {@code mallard run --on-snapshot CLASS} makes one instance of
 * a class that implements this, found on the program's class path, by its constructor without parameters, and calls it
 * in a thread named {@code mallard}. What the class itself allocates is counted like everything else.
 *
 * <p>Anything it throws is reported once and ends the calls; the program goes on.
 */
public interface Snapshots {
    /**
     * Takes what all threads together did since the last call; the first time, since the program began. Counts are
     * exact except for methods still on a stack: what an invocation had counted ahead of itself when the snapshot
     * was taken, or not yet, is told this time or the next.
     *
     * @param nanos time that has passed, in nanoseconds
     * @param objects that were allocated, arrays among them
     * @param bytes of these on the heap, headers and alignment included
     * @param bytecodes that were executed; 0 unless {@code --bytecodes} counts them
     * @return nanoseconds from now to the next snapshot; 0 for as many as this time, less than 0 for no more snapshots.
     * With {@code --snapshots 1000000bc}, bytecodes that a thread
     *     executes from its last one to its next; the one that has come to this one waits for the answer
     */
    long snapshot(long nanos, long objects, long bytes, long bytecodes);
}
