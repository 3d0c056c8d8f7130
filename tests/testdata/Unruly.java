import java.lang.reflect.Method;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Makes objects where they are hard to look at, for so many seconds: in threads that end at once, in virtual threads, of
 * fields that another thread goes on writing, while programs are started. Prints how many of each kind there were.
 */
public class Unruly {
    static final class Ended {
        final int x;

        Ended(int x) {
            this.x = x;
        }
    }

    static final class Virtual {
        final int x;

        Virtual(int x) {
            this.x = x;
        }
    }

    static final class Raced {
        volatile long x;
    }

    static final int AT_ONCE = 2000;

    static volatile Object sink;
    static long ended, virtual, raced, started;
    static volatile boolean over;

    static void end() {
        for (int i = 0; i < AT_ONCE; i++) sink = new Ended(7);
    }

    static void mount() {
        for (int i = 0; i < AT_ONCE; i++) sink = new Virtual(7);
    }

    /** Each object is written to until another one comes: it never has the contents that others have. */
    static void write(ArrayBlockingQueue<Raced> queue) throws InterruptedException {
        Raced[] all = new Raced[256];
        for (long n = 1; !over; ) {
            Raced next = queue.poll();
            if (next != null) all[(int) (++n % all.length)] = next;
            for (Raced one : all) if (one != null) one.x = ++n;
        }
    }

    static void race(ArrayBlockingQueue<Raced> queue) throws InterruptedException {
        for (int i = 0; i < AT_ONCE; i++, raced++) {
            Raced one = new Raced();
            one.x = -raced;
            queue.offer(one);
        }
    }

    /** A virtual thread where there are some. */
    static Thread started(Runnable run) throws ReflectiveOperationException {
        for (Method m : Thread.class.getMethods())
            if (m.getName().equals("startVirtualThread")) return (Thread) m.invoke(null, run);
        Thread thread = new Thread(run);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
        ArrayBlockingQueue<Raced> queue = new ArrayBlockingQueue<>(64);
        Thread writer = new Thread(() -> {
            try {
                write(queue);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        writer.start();
        for (int round = 0; System.nanoTime() < until; round++) {
            Thread one = new Thread(Unruly::end);
            one.start();
            started(Unruly::mount).join();
            virtual += AT_ONCE;
            race(queue);
            one.join();
            ended += AT_ONCE;
            if (round % 100 == 0) {
                Process process = new ProcessBuilder("true").start();
                if (process.waitFor() != 0) throw new AssertionError("true is false");
                started++;
            }
        }
        over = true;
        writer.join();
        System.out.println("ended " + ended);
        System.out.println("mounted " + virtual);
        System.out.println("raced " + raced);
        if (started == 0) throw new AssertionError("no program was started");
    }
}
