import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What strings cost that builders make: processor time in ns of each shape, the third smallest of 40 rounds of 300,000.
 * Each shape has a loop of its own, which is compiled alone.
 *
 * <pre>javac -XDstringConcat=inline -d FOLDER ChainBench.java; java -cp FOLDER ChainBench</pre>
 */
public final class ChainBench {
    private static final int ROUNDS = 40;
    private static final int TURNS = 300_000;

    static String first = String.valueOf("first".toCharArray());
    static Object sink;

    private ChainBench() {}

    /** A round of a shape. */
    private interface Round {
        void run();
    }

    public static void main(String[] args) {
        measure("chain", ChainBench::chains);
        measure("thenArray", ChainBench::thenArrays);
        measure("oneOfTwo", ChainBench::oneOfTwos);
        measure("nested", ChainBench::nesteds);
        measure("local", ChainBench::locals);
        measure("linear", ChainBench::linears);
        measure("added", ChainBench::addeds);
    }

    private static void measure(String shape, Round round) {
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

    private static void chains() {
        for (int i = 0; i < TURNS; i++) {
            sink = chain(i);
        }
    }

    private static Object chain(int i) {
        return first + i + "x";
    }

    private static void thenArrays() {
        for (int i = 0; i < TURNS; i++) {
            sink = thenArray(i);
        }
    }

    private static Object thenArray(int i) {
        String s = first + i + "x";
        return new int[s.length()];
    }

    private static void oneOfTwos() {
        for (int i = 0; i < TURNS; i++) {
            sink = oneOfTwo(i);
        }
    }

    private static Object oneOfTwo(int i) {
        return i % 3 == 0 ? first + i : first + "-" + i;
    }

    private static void nesteds() {
        for (int i = 0; i < TURNS; i++) {
            sink = nested(i);
        }
    }

    private static Object nested(int i) {
        String inner = first + i;
        return "(" + inner + ")";
    }

    private static void locals() {
        for (int i = 0; i < TURNS; i++) {
            sink = local(i);
        }
    }

    private static Object local(int i) {
        StringBuilder b = new StringBuilder();
        b.append(first);
        b.append(i);
        b.append("x");
        return b.toString();
    }

    private static void linears() {
        for (int i = 0; i < TURNS; i++) {
            sink = linear(i);
        }
    }

    private static Object linear(int i) {
        StringBuilder b = new StringBuilder();
        b = b.append(first).append(i);
        return b.append("x").toString();
    }

    private static void addeds() {
        for (int i = 0; i < TURNS; i++) {
            sink = added(i);
        }
    }

    private static Object added(int i) {
        String s = first;
        for (int k = 0; k < 3; k++) {
            s += k;
        }
        return s;
    }
}
