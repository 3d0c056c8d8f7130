// threads: multi, crosses: no, min-jdk: 17, exit: 0, deterministic: yes, jvm: own

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CyclicBarrier;

/** Two daemon threads, each waiting for ever for a monitor that the other holds, when the program exits. */
class Deadlock {
    static void takeBoth(Object mine, Object other, CyclicBarrier barrier) {
        int[] before = new int[3]; // alloc: int[] x2
        synchronized (mine) {
            before[0] = new long[2].length; // alloc: long[] x2
            meet(barrier);
            synchronized (other) {
                before[1] = new short[1].length; // never reached
            }
        }
    }

    static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken); // never reached
        }
    }

    static Thread start(Object mine, Object other, CyclicBarrier barrier) {
        Thread thread = new Thread(() -> takeBoth(mine, other, barrier)); // alloc: java.lang.Thread x2
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static void main(String[] args) {
        Object[] locks = {new Object(), new Object()}; // alloc: java.lang.Object[] x1, java.lang.Object x2
        CyclicBarrier barrier = new CyclicBarrier(2); // alloc: java.util.concurrent.CyclicBarrier x1
        start(locks[0], locks[1], barrier);
        start(locks[1], locks[0], barrier);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        while (threads.findMonitorDeadlockedThreads() == null) {
            Thread.onSpinWait();
        }
        System.out.println("checksum " + new char[2].length); // alloc: char[] x1
        System.exit(0);
    }
}
