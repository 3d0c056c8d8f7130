import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Processor time in ns of a shape of code, the third smallest of 40 rounds of 300,000. Each has a loop of its own,
 * which is compiled alone.
 */
final class Rounds {
    /** How often a round executes its shape. */
    static final int TURNS = 300_000;

    private static final int ROUNDS = 40;

    private Rounds() {}

    static void measure(String shape, Runnable round) {
        var threads = ManagementFactory.getThreadMXBean();
        long[] nanos = new long[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            long begin = threads.getCurrentThreadCpuTime();
            round.run();
            nanos[r] = threads.getCurrentThreadCpuTime() - begin;
        }
        Arrays.sort(nanos);
        System.out.println(shape + "\t" + nanos[2] / (double) TURNS);
    }
}
