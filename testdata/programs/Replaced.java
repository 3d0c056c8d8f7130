// threads: multi, crosses: no, min-jdk: 17, exit: 5, deterministic: yes

import java.util.concurrent.CountDownLatch;

/**
 * Runs long enough for every counter to be placed again a few times, with frames that stay in old versions all along, in loops and on the way out of
 * exceptions, and ends in the middle of several paths.
 */
class Replaced {
    static final int ROUNDS = 3000;

    /** Heuristics expect both conditions to hold; they hardly ever do. */
    static class Sparse {
        static int run(int n, int salt) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                int a = scramble(i + salt) % 50 - 49;
                int b = scramble(i - salt) % 50 - 49;
                if (a >= 0) {
                    sum += new int[2].length; // alloc: int[] x30134
                }
                if (b >= 0) {
                    sum += new char[3].length; // alloc: char[] x36926
                }
            }
            return sum;
        }
    }

    /** Throws in the middle of paths, now and then, through two frames. */
    static class Throwing {
        static int run(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                try {
                    sum += outer(i);
                } catch (IllegalStateException e) {
                    sum += new short[4].length; // alloc: short[] x18006
                }
            }
            return sum;
        }

        static int outer(int i) {
            long[] before = new long[1]; // alloc: long[] x120040
            int sum = inner(i) + before.length;
            return i % 3 == 0 ? sum : sum + new byte[2].length; // alloc: byte[] x66022
        }

        static int inner(int i) {
            Object[] some = {i}; // alloc: java.lang.Object[] x120040
            if (i % 7 == 0) {
                throw new IllegalStateException(); // alloc: java.lang.IllegalStateException x18006
            }
            return some.length + (i % 2 == 0 ? new float[1].length : new double[i % 5].length); // alloc: double[] x51017, float[] x51017
        }
    }

    /** Waits between two allocations until the end, in the version of the class that was there first. */
    static class Waiting implements Runnable {
        final CountDownLatch waits = new CountDownLatch(1); // alloc: java.util.concurrent.CountDownLatch x1

        @Override
        public void run() {
            Object[] before = new Object[3]; // alloc: java.lang.Object[] x1
            waits.countDown();
            while (before.length == 3) {
                try {
                    Thread.sleep(1_000_000);
                } catch (InterruptedException e) {
                    return;
                }
            }
            System.out.println(new long[2].length);
        }
    }

    static int scramble(int x) {
        x = (x ^ x >>> 16) * 0x45d9f3b;
        x = (x ^ x >>> 16) * 0x45d9f3b;
        return (x ^ x >>> 16) & 0x7fffffff;
    }

    public static void main(String[] args) throws InterruptedException {
        Waiting waiting = new Waiting(); // alloc: Replaced$Waiting x1
        Thread thread = new Thread(waiting); // alloc: java.lang.Thread x1
        thread.setDaemon(true);
        thread.start();
        waiting.waits.await();
        int sum = 0;
        for (int round = 0; ; round++) {
            byte[] before = new byte[round % 9]; // alloc: byte[] x3001
            sum += Sparse.run(500, round) + Throwing.run(40) + before.length;
            if (round == ROUNDS) {
                System.out.println("checksum " + sum);
                System.exit(5);
            }
            sum += new int[round % 4].length; // alloc: int[] x3000
        }
    }
}
