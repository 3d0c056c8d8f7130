import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that stop for the first time at a known place, at a known depth, some at each: the JVM takes memory
 * for the stack of each of them there. Those that a monitor stops have yielded before, not as deep. Arguments: how many
 * at each place and depth, and the places.
 */
class Stops {
    static final int[] DEPTHS = {0, 3, 40};

    static final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();

    static void sleeps() throws InterruptedException {
        Thread.sleep(1);
    }

    static void parks() {
        LockSupport.park();
    }

    static void takes() throws InterruptedException {
        queue.take();
    }

    static void yields() {
        Thread.yield();
    }

    static synchronized void waits() throws InterruptedException {
        Stops.class.wait(1);
    }

    static void down(int depth, String place) throws InterruptedException {
        if (depth > 0) {
            down(depth - 1, place);
            return;
        }
        switch (place) {
            case "sleeps" -> sleeps();
            case "parks" -> parks();
            case "takes" -> takes();
            case "yields" -> yields();
            default -> waits();
        }
    }

    static Thread start(int depth, String place) {
        return Thread.ofVirtual().start(() -> {
            try {
                if (place.equals("waits")) {
                    Thread.yield();
                }
                down(depth, place);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Lets threads go on that wait until somebody does. */
    static void resume(Thread[] threads) {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
            queue.add("");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int times = Integer.parseInt(args[0]);
        for (int i = 1; i < args.length; i++) {
            for (int depth : DEPTHS) {
                Thread[] threads = new Thread[times];
                for (int k = 0; k < times; k++) {
                    threads[k] = start(depth, args[i]);
                }
                if (args[i].equals("parks") || args[i].equals("takes")) {
                    resume(threads);
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                queue.clear();
            }
        }
        System.out.println("done");
    }
}
