// threads: multi, crosses: no, min-jdk: 21, release: 21, exit: 0, deterministic: yes

import java.util.ArrayList;
import java.util.List;

/** Virtual threads that wait for a monitor, which takes them off their carriers since JDK 24, and what they allocate when they come back from that. */
class BlockedThreads {
    static final Object lock = new Object(); // alloc: java.lang.Object x1
    static int sum;

    static void held(int thread) {
        synchronized (lock) {
            Thread.yield(); // all others come to the monitor meanwhile
            sum += made(thread).length;
        }
    }

    static void waited(int thread) throws InterruptedException {
        synchronized (lock) {
            lock.wait(1);
            sum += made(thread).length;
            lock.notify();
        }
    }

    static int[] made(int n) {
        if (n == 0) {
            return new int[3]; // alloc: int[] x200
        }
        int[] made = made(n - 1); // kept: of two returns at one place SingleStep tells one
        return made;
    }

    static void run(int thread) {
        try {
            for (int i = 0; i < 4; i++) {
                held(thread + i);
                waited(thread + i);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        List<Thread> threads = new ArrayList<>(); // alloc: java.util.ArrayList x1
        for (int i = 0; i < 25; i++) {
            int thread = i;
            threads.add(Thread.startVirtualThread(() -> run(thread)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("checksum " + sum);
    }
}
