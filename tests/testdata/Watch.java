import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A program that waits until it has been called at three snapshots, and for the end of the thread that calls it. */
public class Watch implements mallard.Snapshots {
    private static final CountDownLatch calls = new CountDownLatch(3);
    private static volatile Thread caller;
    private static volatile boolean sound = true;

    public Watch() {
        caller = Thread.currentThread();
    }

    @Override
    public long snapshot(long nanos, long objects, long bytes, long bytecodes) {
        sound &= nanos > 0 && objects >= 0 && bytes >= objects && bytecodes >= 0;
        calls.countDown();
        if (calls.getCount() > 0) {
            return 1_000_000;
        }
        if (Boolean.getBoolean("throws")) {
            throw new IllegalStateException("seen enough");
        }
        return -1;
    }

    public static void main(String[] args) throws Exception {
        long sum = new int[10].length;
        while (!calls.await(1, TimeUnit.MILLISECONDS)) {
            sum += new int[10].length;
        }
        caller.join();
        System.out.println("checksum " + sound + " " + (sum > 0) + " " + caller.getName());
    }
}

/** Cannot be called: it has no constructor without parameters. */
class Broken implements mallard.Snapshots {
    Broken(int n) {}

    @Override
    public long snapshot(long nanos, long objects, long bytes, long bytecodes) {
        return 0;
    }
}

/** A program of which no class can be called. It waits for the end of the thread that asks its class loader for one. */
class Unwatched {
    private static final CompletableFuture<Thread> caller = new CompletableFuture<>();

    /** The system class loader. */
    public static class Loader extends ClassLoader {
        public Loader(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (name.equals("Nobody") || name.equals("Broken")) {
                caller.complete(Thread.currentThread());
            }
            return super.loadClass(name);
        }
    }

    public static void main(String[] args) throws Exception {
        caller.get().join();
        System.out.println("checksum");
    }
}
