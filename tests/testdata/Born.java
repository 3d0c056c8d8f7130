import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Makes so many objects of each of its classes in each of some threads, of all sizes and fates: they die at once, or
 * later, or stay; they are locked, waited for, hashed; some are too large for the young generation. It ends with a full
 * collection behind which it keeps what it says.
 */
public class Born {
    static class Dead {
        int field;
    }

    static class Short {
        long a, b, c;
        Object next;
    }

    static class Kept {
        Object held;
    }

    static class Hashed {}

    static class Locked {}

    static final int ROUNDS = 20_000;
    static final List<Object> keptForEver = new ArrayList<>();
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), times = Integer.parseInt(args[1]);
        CountDownLatch done = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                for (int k = 0; k < times; k++) {
                    make(k);
                }
                done.countDown();
            }).start();
        }
        done.await();
        sink = null;
        System.gc();
        System.out.println(keptForEver.size());
    }

    static void make(int time) {
        Short list = null;
        Object[] few = new Object[64];
        for (int i = 0; i < ROUNDS; i++) {
            sink = new Dead();
            Short s = new Short();
            if (i % 100 != 0) {
                s.next = list;
            }
            list = s;
            if (i % 200 == 0) {
                Kept kept = new Kept();
                kept.held = new char[i % 10];
                synchronized (keptForEver) {
                    keptForEver.add(kept);
                }
                Hashed hashed = new Hashed();
                few[hashed.hashCode() & 63] = hashed;
                Locked locked = new Locked();
                synchronized (locked) {
                    few[locked.hashCode() & 63] = locked;
                    if (i % 2000 == 0) {
                        await(locked);
                    }
                }
            }
            sink = new short[i % 50];
        }
        sink = new double[300_000 + time];
    }

    /** Has the JVM make a monitor for it. */
    static void await(Object locked) {
        try {
            locked.wait(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
