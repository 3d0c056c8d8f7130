import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/**
 * "Buffered THREADS ROUNDS": so many threads, each of which makes a few objects in each round and waits in the middle of
 * its allocation buffer, while main makes garbage, keeps some of it, and has all of the heap collected.
 */
class Buffered {
    static class Made {
        long a, b;
    }

    static final int GARBAGE = 20_000, LARGE = 2_500_000;
    static final List<Object> kept = new ArrayList<>();
    static volatile Object sink;

    static void make(int number, int rounds, CyclicBarrier together) throws Exception {
        for (int round = 0; round < rounds; round++) {
            together.await();
            for (int i = 0; i < 3 + number % 5; i++) {
                sink = new Made();
            }
            together.await(); // all have made theirs
            together.await(); // and main has collected
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
        CyclicBarrier together = new CyclicBarrier(threads + 1);
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    make(number, rounds, together);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        for (int round = 0; round < rounds; round++) {
            System.gc(); // there is room for all buffers
            together.await();
            together.await();
            for (int i = 0; i < GARBAGE; i++) {
                byte[] made = new byte[i % 1500];
                if (i % 100 == 0) {
                    kept.add(made);
                }
                sink = made;
            }
            kept.add(new byte[LARGE + round * 100_000]);
            if (kept.size() > 2000) {
                kept.subList(0, 1000).clear();
            }
            System.gc();
            together.await();
        }
        System.out.println(threads + " threads");
    }
}
