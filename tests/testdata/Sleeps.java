import java.nio.file.FileSystems;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that stop at several depths, again and again: the JVM takes memory for their stacks. */
class Sleeps {
    static void at(int depth, int times) {
        if (depth > 0) {
            at(depth - 1, times);
        }
        for (int i = 0; i < times; i++) {
            if (i % 2 == 0) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        FileSystems.getDefault(); // the JDK has loaded a library: native methods are then looked for by Java code
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        for (int i = 0; i < threads.length; i++) {
            int depth = i % 60;
            threads[i] = Thread.ofVirtual().start(() -> {
                at(depth, 2);
                at(3, 1);
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
