import java.util.ArrayList;
import java.util.List;

/** Ends in the way that its argument names, with frames that have allocated still live. */
class Endings {
    static class Marker {}

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

    public static void main(String[] args) throws InterruptedException {
        Object marker = new Marker();
        Runtime runtime = Runtime.getRuntime();
        switch (args[0]) {
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
            case "uncaught" -> throw new IllegalStateException();
            case "out of memory" -> {
                List<long[]> all = new ArrayList<>();
                while (true) {
                    all.add(new long[1 << 20]);
                }
            }
            case "stack overflow" -> overflow();
            case "deep" -> onDeepStack(100_000, () -> System.exit(3));
            case "uncaught in thread" -> onDeepStack(10, () -> {
                throw new IllegalStateException();
            });
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
