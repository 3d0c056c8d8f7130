import java.util.concurrent.Phaser;

/**
 * "Throng KIND THREADS ROUNDS GARBAGE": so many threads, platform or virtual ones, that are alive all the time. In each
 * round each of them makes one object that is kept and two that are not, and waits, in the middle of its allocation
 * buffer where it has one; meanwhile main makes garbage.
 */
class Throng {
    static class Kept {
        long a;
    }

    static class Passing {
        long a, b;
    }

    static class Garbage {
        long a, b, c, d;

        Garbage(long a) {
            this.a = a;
        }
    }

    static Kept[][] kept;
    static volatile Object sink;

    static void live(int number, int rounds, Phaser together) {
        kept[number] = new Kept[rounds];
        for (int round = 0; round < rounds; round++) {
            together.arriveAndAwaitAdvance();
            kept[number][round] = new Kept();
            sink = new Passing();
            sink = new Passing();
            together.arriveAndAwaitAdvance();
        }
        together.arriveAndAwaitAdvance(); // main has seen all of them alive
    }

    /** Takes longer than making an object does. */
    static long work(long n) {
        for (int i = 0; i < 50; i++) {
            n = n * 6364136223846793005L + 1442695040888963407L;
        }
        return n;
    }

    static Thread start(boolean virtual, Runnable run) throws Exception {
        if (virtual) { // not there on older JDKs
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, run);
        }
        Thread thread = new Thread(null, run, "one of many", 128 << 10);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]), rounds = Integer.parseInt(args[2]), garbage = Integer.parseInt(args[3]);
        kept = new Kept[count][];
        Phaser together = new Phaser(count + 1);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            threads[i] = start(args[0].equals("virtual"), () -> live(number, rounds, together));
        }
        for (int round = 0; round < rounds; round++) {
            together.arriveAndAwaitAdvance();
            together.arriveAndAwaitAdvance();
            for (int i = 0; i < garbage; i++) {
                sink = new Garbage(work(i));
            }
        }
        int alive = 0;
        for (Thread thread : threads) {
            alive += thread.isAlive() ? 1 : 0;
        }
        together.arriveAndAwaitAdvance();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(alive + " threads");
    }
}
