// threads: multi, crosses: no, min-jdk: 21, release: 21, exit: 4, deterministic: yes

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** The JVM ends, from a virtual thread, while a hundred others are parked between two allocations of a path and one is mounted and spins. */
class VirtualThreadsAtExit {
    static volatile Object keep;
    static volatile boolean spinning;

    static void half(CountDownLatch waiting) {
        keep = new int[4]; // alloc: int[] x100
        waiting.countDown();
        while (true) {
            LockSupport.park();
        }
    }

    static void park(CountDownLatch waiting) {
        Object[] pair = new Object[2]; // alloc: java.lang.Object[] x100
        half(waiting);
        keep = pair;
        keep = new long[8]; // alloc: long[] x0
    }

    static void spin() {
        keep = new char[3]; // alloc: char[] x1
        spinning = true;
        while (spinning) {
            Thread.onSpinWait();
        }
        keep = new short[3]; // alloc: short[] x0
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(100); // alloc: java.util.concurrent.CountDownLatch x1
        for (int i = 0; i < 100; i++) {
            Thread.startVirtualThread(() -> park(waiting));
        }
        waiting.await();
        Thread.startVirtualThread(VirtualThreadsAtExit::spin);
        while (!spinning) {
            Thread.onSpinWait();
        }
        System.out.println("checksum " + waiting.getCount());
        Thread.startVirtualThread(() -> {
            keep = new double[2]; // alloc: double[] x1
            System.exit(4);
        }).join();
    }
}
