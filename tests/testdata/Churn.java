import java.lang.reflect.Constructor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

/**
 * Threads and class loaders that come and go until standard input ends: two threads make loaders, each with a class that
 * allocates below a few calls, and two start threads that use the newest class and end. A line each second says how many
 * there were.
 */
public class Churn {
    /** Loaded anew by each loader. */
    public static class Work implements IntUnaryOperator {
        static Object sink;

        @Override
        public int applyAsInt(int n) {
            return (n & 1) == 0 ? left(n) : right(n);
        }

        static int left(int n) {
            sink = new int[n & 7];
            return down(n & 3);
        }

        static int right(int n) {
            sink = new Object[n & 7];
            return down(n & 3) + 1;
        }

        static int down(int n) {
            if (n == 0) {
                sink = new byte[24];
                return 1;
            }
            return down(n - 1) + 1;
        }
    }

    static final class OwnLoader extends ClassLoader {
        IntUnaryOperator work(String name, byte[] bytes) throws Exception {
            Constructor<?> make = defineClass(name, bytes, 0, bytes.length).getConstructor();
            return (IntUnaryOperator) make.newInstance();
        }
    }

    static final AtomicBoolean ended = new AtomicBoolean();
    static final AtomicLong threads = new AtomicLong(), loaders = new AtomicLong(), sum = new AtomicLong();
    static volatile IntUnaryOperator newest = n -> n;

    static void load() {
        String name = "Churn$Work";
        try (var file = Churn.class.getResourceAsStream(name + ".class")) {
            byte[] bytes = file.readAllBytes();
            while (!ended.get()) {
                newest = new OwnLoader().work(name, bytes);
                sum.addAndGet(newest.applyAsInt((int) loaders.incrementAndGet()));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void start() {
        try {
            while (!ended.get()) {
                int n = (int) threads.incrementAndGet();
                Thread thread = new Thread(() -> sum.addAndGet(newest.applyAsInt(n)), "thread " + n);
                thread.start();
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        boolean loads = args[0].contains("loaders"), starts = args[0].contains("threads");
        Thread clock = new Thread(() -> {
            while (!ended.get()) {
                System.gc(); // or classes stay until the memory for them is full
                System.out.println(threads + " threads " + loaders + " loaders");
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        clock.setDaemon(true);
        clock.start();
        for (int i = 0; i < 2; i++) {
            if (loads) {
                new Thread(Churn::load).start();
            }
            if (starts) {
                new Thread(Churn::start).start();
            }
        }
        while (System.in.read() >= 0) {
        }
        ended.set(true);
    }
}
