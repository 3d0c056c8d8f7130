import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

/** Thousands of loaders, one after another, each with a class of its own kind that counts in two threads and is unloaded again. */
public class Loaders {
    public static final Object[] NAMES = new String[1], NUMBERS = new Integer[1];

    public static class Small implements IntUnaryOperator {
        @Override
        public int applyAsInt(int n) {
            return new int[n & 3].length + new Object[1].length + Arrays.copyOf((n & 1) == 0 ? NAMES : NUMBERS, 2).length;
        }
    }

    public static class Large implements IntUnaryOperator {
        static final long[] TABLE = {1, 2, 3};

        @Override
        public int applyAsInt(int n) {
            int sum = new int[n & 3].length;
            for (long t : TABLE) {
                sum += new byte[(int) t].length + ((n & 1) == 0 ? new char[2].length : new short[3].length);
            }
            return sum;
        }
    }

    static final class OwnLoader extends ClassLoader {
        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static byte[] bytes(String name) throws Exception {
        try (var file = Loaders.class.getResourceAsStream(name + ".class")) {
            return file.readAllBytes();
        }
    }

    static volatile IntUnaryOperator operator;
    static volatile int sum;

    /** Lets another thread use the operator, too. */
    static final class Other extends Thread {
        CountDownLatch go = new CountDownLatch(1), done = new CountDownLatch(1);

        Other() {
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                go = new CountDownLatch(1);
                sum += operator.applyAsInt(1);
                operator = null;
                done.countDown();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        String[] names = {"Loaders$Small", "Loaders$Large"};
        byte[][] classes = {bytes(names[0]), bytes(names[1])};
        Other other = new Other();
        other.start();
        int loaders = Integer.parseInt(args[0]), steps = Integer.parseInt(args[1]);
        for (int step = 1; step <= steps; step++) {
            for (int i = 0; i < loaders; i++) {
                int kind = i % 3 == 0 ? 1 : 0;
                operator = (IntUnaryOperator) new OwnLoader().define(names[kind], classes[kind]).getConstructor().newInstance();
                sum += operator.applyAsInt(i);
                CountDownLatch done = other.done;
                other.go.countDown();
                done.await();
                other.done = new CountDownLatch(1);
            }
            System.gc();
            System.out.println("step " + step);
            System.in.read();
        }
        System.out.println("sum " + sum);
    }
}
