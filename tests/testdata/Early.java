import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes known numbers of objects while it is read beside: it rests often enough for that. There are threads that have
 * made something once and sleep for ever, threads that come and go, constructors that take long, objects that are
 * locked by others, or larger than a buffer, classes that come late, and it stops the world in between.
 */
public class Early {
    static class Plain {
        long a, b;
    }

    static class Slow {
        Object made;

        Slow(int depth) throws InterruptedException {
            Thread.sleep(2);
            made = depth > 0 ? new Slow(depth - 1) : null;
            sink = new byte[2000];
            Thread.sleep(2);
        }
    }

    static class Locked {
        int field;
    }

    static class Kept {
        Object next;
    }

    static class Passing {
        int field;
    }

    static class Idle {}

    static class Late0 {}

    static class Late1 {}

    static class Late2 {}

    static class Late3 {}

    static volatile Object sink;
    static final List<Object> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]), idle = Integer.parseInt(args[1]);
        CountDownLatch sleeping = new CountDownLatch(idle), done = new CountDownLatch(2);
        for (int i = 0; i < idle; i++) {
            daemon(() -> {
                sink = new Idle();
                sleeping.countDown();
                while (true) {
                    LockSupport.park();
                }
            });
        }
        sleeping.await();
        for (int i = 0; i < 2; i++) {
            daemon(() -> {
                for (int r = 0; r < rounds; r++) {
                    plain();
                    other();
                    locked();
                    rest();
                }
                done.countDown();
            });
        }
        for (int r = 0; r < rounds; r++) {
            round(r);
            rest();
        }
        done.await();
        System.out.println(kept.size());
    }

    static Thread daemon(Runnable runs) {
        Thread t = new Thread(runs);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static void rest() {
        LockSupport.parkNanos(200_000);
    }

    static void round(int r) throws InterruptedException {
        if (r % 20 == 0) {
            sink = slow();
        }
        if (r % 10 == 0) {
            Thread t = daemon(() -> {
                for (int i = 0; i < 100; i++) {
                    sink = new Passing();
                }
            });
            t.join();
        }
        if (r % 50 == 0) {
            Thread.getAllStackTraces();
        }
        sink = new double[20_000];
        Kept k = new Kept();
        k.next = r;
        kept.add(k);
        switch (r % 400) {
            case 50 -> sink = new Late0();
            case 150 -> sink = new Late1();
            case 250 -> sink = new Late2();
            case 350 -> sink = new Late3();
            default -> { }
        }
    }

    static Object slow() throws InterruptedException {
        return new Slow(2);
    }

    static void plain() {
        for (int i = 0; i < 500; i++) {
            sink = new Plain();
        }
    }

    static void other() {
        for (int i = 0; i < 300; i++) {
            sink = new Plain();
            sink = new byte[i];
        }
    }

    /** Each is locked when others are made. */
    static void locked() {
        Deque<Locked> few = new ArrayDeque<>();
        for (int i = 0; i < 20; i++) {
            Locked l = new Locked();
            few.add(l);
            synchronized (l) {
                sink = new Plain[10];
                if (i == 19) {
                    rest();
                }
            }
        }
    }
}
