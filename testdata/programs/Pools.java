// threads: multi, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.stream.IntStream;

/** Thread pools: an executor, fork and join, a parallel stream. Who does which part differs, what is allocated does not. */
class Pools {
    static final class Range extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        private final int from;
        private final int to;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from <= 10) {
                return new int[to - from].length; // alloc: int[] x128
            }
            int middle = (from + to) / 2;
            Range left = new Range(from, middle); // alloc: Pools$Range x127
            Range right = new Range(middle, to); // alloc: Pools$Range x127
            left.fork();
            return right.compute() + left.join();
        }
    }

    record Point(int x, int y) {}

    static int job(int number) {
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            Point point = new Point(number, i); // alloc: Pools$Point x2000
            sum += i % 5 == 0 ? new short[number].length : point.y; // alloc: short[] x400
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(3);
        List<Future<Integer>> results = new ArrayList<>(); // alloc: java.util.ArrayList x1
        for (int i = 0; i < 40; i++) {
            int number = i;
            results.add(executor.submit(() -> job(number)));
        }
        int sum = 0;
        for (Future<Integer> result : results) {
            sum += result.get();
        }
        executor.shutdown();
        sum += ForkJoinPool.commonPool().invoke(new Range(0, 1280)); // alloc: Pools$Range x1
        sum += IntStream.range(0, 500).parallel().mapToObj(i -> new Point(i, 1)).mapToInt(Point::x).sum(); // alloc: Pools$Point x500
        System.out.println("checksum " + sum);
    }
}
