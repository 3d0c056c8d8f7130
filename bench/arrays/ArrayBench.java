import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * What arrays cost whose length is computed: processor time in ns of each shape, the third smallest of 40 rounds of
 * 300,000. Each shape has a loop of its own, which is compiled alone.
 *
 * <pre>javac -XDstringConcat=inline -d FOLDER ArrayBench.java; java -cp FOLDER ArrayBench</pre>
 */
public final class ArrayBench {
    private static final int ROUNDS = 40;
    private static final int TURNS = 300_000;

    static byte[] source = new byte[24];
    static Object sink;
    static int sum;

    private ArrayBench() {}

    public static void main(String[] args) {
        measure("int", ArrayBench::ints);
        measure("byte", ArrayBench::bytes);
        measure("copy", ArrayBench::copies);
        measure("list", ArrayBench::lists);
        measure("builder", ArrayBench::builders);
        measure("filled", ArrayBench::filled);
    }

    private static void measure(String shape, Runnable round) {
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

    private static void ints() {
        for (int i = 0; i < TURNS; i++) {
            sink = new int[i & 15];
        }
    }

    private static void bytes() {
        for (int i = 0; i < TURNS; i++) {
            sink = new byte[i & 31];
        }
    }

    private static void copies() {
        for (int i = 0; i < TURNS; i++) {
            sink = Arrays.copyOf(source, i & 15);
        }
    }

    private static void lists() {
        for (int i = 0; i < TURNS; i++) {
            ArrayList<Object> list = new ArrayList<>(i & 7);
            list.add("a");
            sink = list;
        }
    }

    private static void builders() {
        for (int i = 0; i < TURNS; i++) {
            StringBuilder b = new StringBuilder();
            b.append("abc");
            b.append(i & 1023);
            sink = b.toString();
        }
    }

    private static void filled() {
        for (int i = 0; i < TURNS; i++) {
            int[] numbers = new int[8 + (i & 7)];
            for (int k = 0; k < numbers.length; k++) {
                numbers[k] = k * i;
            }
            for (int n : numbers) {
                sum += n;
            }
            sink = numbers;
        }
    }
}
