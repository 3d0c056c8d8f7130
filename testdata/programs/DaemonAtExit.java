// threads: multi, crosses: no, min-jdk: 17, exit: 0, deterministic: yes, jvm: own

import java.util.concurrent.CountDownLatch;

/** The JVM ends while a daemon thread waits in the middle of a path, deep in a recursion. */
class DaemonAtExit {
    static int descend(int depth, CountDownLatch reached) {
        int sum = new int[depth + 1].length; // alloc: int[] x11
        if (depth == 0) {
            reached.countDown();
            waitForEver();
        }
        sum += descend(depth - 1, reached);
        return sum + new long[1].length; // never reached
    }

    static void waitForEver() {
        Object lock = new Object(); // alloc: java.lang.Object x1
        synchronized (lock) {
            while (true) {
                try {
                    lock.wait();
                } catch (InterruptedException again) {
                    continue;
                }
                new StringBuilder(); // never reached
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1); // alloc: java.util.concurrent.CountDownLatch x1
        Thread daemon = new Thread(() -> descend(10, reached)); // alloc: java.lang.Thread x1
        daemon.setDaemon(true);
        daemon.start();
        reached.await();
        // Once it waits, or is about to, the daemon allocates nothing any more.
        while (daemon.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        System.out.println("checksum " + new short[5].length); // alloc: short[] x1
    }
}
