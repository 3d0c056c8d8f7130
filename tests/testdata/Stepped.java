import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Does the same in each run, in one thread: loops with and without calls, recursion, exceptions, arrays, and what the JDK does for it. With an argument, in as many threads. */
public class Stepped implements mallard.Snapshots {
    static final List<Long> seen = new ArrayList<>();
    static int calls;

    /** Wants one soon, one late, and so on; after six it has enough. */
    public long snapshot(long nanos, long objects, long bytes, long bytecodes) {
        synchronized (seen) {
            seen.add(objects >= 0 && bytes >= objects && bytecodes > 0 ? 1L : 0);
        }
        calls++;
        return calls == 6 ? -1 : calls % 2 == 0 ? 300_000 : 50_000;
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            System.out.println("checksum " + work());
        } else if (args[0].equals("locked")) {
            long sum;
            synchronized (seen) { // in a snapshot that waits for it
                sum = work();
            }
            System.out.println("checksum " + sum);
        } else {
            Thread[] threads = new Thread[Integer.parseInt(args[0])];
            long[] sums = new long[threads.length];
            for (int i = 0; i < threads.length; i++) {
                int n = i;
                threads[i] = new Thread(() -> sums[n] = work());
                threads[i].start();
            }
            for (Thread t : threads) {
                t.join();
            }
            System.out.println("checksum " + sums[0]);
        }
        System.out.println("calls " + seen);
    }

    static long work() {
        long sum = 0;
        Map<String, List<Integer>> map = new HashMap<>();
        IntUnaryOperator square = x -> x * x;
        for (int i = 0; i < 20_000; i++) {
            int[] array = new int[i % 17];
            sum += array.length + square.applyAsInt(i);
            if (i % 10 == 0) {
                map.computeIfAbsent("k" + i % 100, k -> new ArrayList<>()).add(i);
            }
            if (i % 50 == 0) {
                try {
                    sum += deep(i % 7);
                } catch (IllegalStateException e) {
                    sum += e.getMessage().length();
                } finally {
                    sum ^= new Object[] {map}.length;
                }
            }
        }
        for (int i = 0; i < 200_000; i++) { // nothing but a loop
            sum ^= i * 31L;
        }
        for (int i = 0; i < 2_000; i++) {
            try {
                sum += new byte[i % 3 - 1].length; // throws every third time
            } catch (NegativeArraySizeException e) {
                sum--;
            }
        }
        return sum;
    }

    static int deep(int n) {
        if (n == 0) {
            throw new IllegalStateException("deep");
        }
        return deep(n - 1) + new Integer[] {n}.length;
    }
}
