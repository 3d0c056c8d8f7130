import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Ends in the way that its argument names, with frames that have allocated still live. */
class Endings {
    static class Marker {}

    static class Reflected {}

    static class Witness {}

    static int down(int n, Runnable end) {
        int sum = new int[1].length;
        if (n == 0) {
            end.run();
        }
        return sum + down(n - 1, end) + new long[1].length; // the second array is never made
    }

    static void onDeepStack(int frames, Runnable end) throws InterruptedException {
        Thread thread = new Thread(null, () -> down(frames, end), "deep", 1 << 30);
        thread.start();
        thread.join();
    }

    static int overflow() {
        return overflow() + new long[1].length; // never made
    }

    static volatile Object sink;

    /** Makes an object in a frame that is not live when the JVM dies. */
    static void witness() {
        sink = new Witness();
    }

    /** Starts threads that allocate until the JVM ends. */
    static void keepAllocating(int threads) {
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                while (true) {
                    sink = new short[100];
                }
            }).start();
        }
    }

    /** Does something of everything: threads, lambdas, strings, exceptions, reflection, collections. */
    static void work() throws Exception {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                List<Object> all = new ArrayList<>();
                for (int i = 0; i < 2000; i++) {
                    int n = i % 50;
                    Supplier<Object> made = n == 0 ? () -> "string " + n : () -> new int[n].clone();
                    all.add(made.get());
                    try {
                        all.get(i + 1);
                    } catch (IndexOutOfBoundsException e) {
                        sink = e;
                    }
                }
                sink = all;
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        sink = Reflected.class.getDeclaredConstructor().newInstance();
        sink = new Marker();
        System.gc();
    }

    static void writeToAddressZero() throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        ((sun.misc.Unsafe) field.get(null)).putInt(0L, 1);
    }

    public static void main(String[] args) throws Exception {
        Object marker = new Marker();
        witness();
        Runtime runtime = Runtime.getRuntime();
        switch (args[0]) {
            case "return" -> {}
            case "exit" -> System.exit(3);
            case "halt" -> runtime.halt(3);
            case "hook" -> runtime.addShutdownHook(new Thread(() -> System.out.println(new Marker() != null)));
            case "halt in hook" -> {
                runtime.addShutdownHook(new Thread(() -> {
                    Object another = new Marker();
                    runtime.halt(another == null ? 0 : 3);
                }));
                System.exit(1);
            }
            case "exit in hook" -> { // waits for ever
                runtime.addShutdownHook(new Thread(() -> {
                    System.out.println("in the hook");
                    System.exit(4);
                }));
                System.exit(3);
            }
            case "exit in thread" -> {
                keepAllocating(1);
                new Thread(() -> System.exit(3)).start();
                Thread.sleep(Long.MAX_VALUE);
            }
            case "live threads" -> {
                keepAllocating(4);
                System.exit(3);
            }
            case "busy" -> {
                work();
                System.out.println("worked");
                System.exit(3);
            }
            case "waits" -> { // for the end of its input
                System.out.println("waiting");
                while (System.in.read() >= 0) {}
                work();
                System.out.println("went on");
                System.exit(7);
            }
            case "fault" -> writeToAddressZero();
            case "uncaught" -> throw new IllegalStateException();
            case "out of memory" -> {
                List<long[]> all = new ArrayList<>();
                while (true) {
                    all.add(new long[1 << 20]);
                }
            }
            case "stack overflow" -> overflow();
            case "caught overflow" -> {
                try {
                    overflow();
                } catch (StackOverflowError e) {
                    System.exit(3);
                }
            }
            case "deep" -> onDeepStack(100_000, () -> System.exit(3));
            case "uncaught in thread" -> onDeepStack(10, () -> {
                throw new IllegalStateException();
            });
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
