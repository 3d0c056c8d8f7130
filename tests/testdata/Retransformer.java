import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/**
 * A Java agent that changes a class of its program as it is loaded and again and again while it runs, with frames that stay in old versions, and ends in
 * the middle of paths.
 */
public class Retransformer {
    static class Work {
        static int run(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                long[] before = new long[2];
                if (i % 3 == 0) {
                    sum += new int[3].length;
                }
                sum += name().length() + before.length + new byte[i % 5].length;
            }
            return sum;
        }

        static int last(int n) {
            Object[] before = new Object[4];
            if (n > 0) {
                return before.length + last(n - 1);
            }
            System.out.println(name());
            System.exit(9);
            return new char[5].length;
        }

        static String name() {
            return "plain";
        }
    }

    static Instrumentation instrumentation;

    public static void premain(String arguments, Instrumentation i) {
        instrumentation = i;
        i.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain domain, byte[] bytes) {
                return "Retransformer$Work".equals(name) ? changed(bytes) : null;
            }
        }, true);
    }

    /** Replaces the string by another of the same length. */
    static byte[] changed(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace("plain", "other").getBytes(StandardCharsets.ISO_8859_1);
    }

    public static void main(String[] arguments) throws Exception {
        long sum = 0;
        for (int round = 0; round < 300; round++) {
            float[] before = new float[1];
            sum += Work.run(30);
            if (round % 20 == 0) {
                instrumentation.retransformClasses(Work.class, Retransformer.class);
            }
            sum += before.length + new double[1].length;
        }
        System.out.println(sum);
        Thread waits = new Thread(() -> wait(new short[1]));
        waits.setDaemon(true);
        waits.start();
        while (waits.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        instrumentation.retransformClasses(Retransformer.class);
        Work.last(5);
    }

    /** Allocates, waits in the version of the class that was there first, and never allocates again. */
    static int wait(short[] lock) {
        Object before = new boolean[7];
        synchronized (lock) {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                return 0;
            }
        }
        return before.hashCode() + new boolean[8].length;
    }
}
