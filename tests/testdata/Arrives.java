import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Threads load a class again and again, each time by another loader, until a line is read. After another line a thread
 * that has asked for a large stack uses all of them.
 */
class Arrives {
    public static class Made implements Runnable {
        static volatile Object sink;

        @Override
        public void run() {
            sink = new int[7];
            sink = new Object[7];
        }
    }

    /** Defined without a name, once. */
    public static class Nameless extends Made {
        @Override
        public void run() {
            sink = new long[7];
        }
    }

    static final class Own extends ClassLoader {
        Runnable made(String name, byte[] file) throws ReflectiveOperationException {
            return (Runnable) defineClass(name, file, 0, file.length).getDeclaredConstructor().newInstance();
        }
    }

    static final ConcurrentLinkedQueue<Runnable> all = new ConcurrentLinkedQueue<>();
    static volatile boolean ended;

    static void load(byte[] file) {
        try {
            while (!ended) {
                Runnable made = new Own().made("Arrives$Made", file);
                made.run();
                all.add(made);
                Thread.sleep(2); // as long as it takes to load one, about
            }
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] fileOf(String name) throws IOException {
        try (InputStream in = Arrives.class.getResourceAsStream("Arrives$" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] file = fileOf("Made"), nameless = fileOf("Nameless");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(new Thread(() -> load(file)));
        }
        threads.forEach(Thread::start);
        System.out.println("loading");
        while (System.in.read() != '\n') {}
        all.add(new Own().made(null, nameless));
        System.out.println("nameless");
        while (System.in.read() != '\n') {}
        ended = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("loaded");
        while (System.in.read() != '\n') {}
        Thread large = new Thread(null, () -> all.forEach(Runnable::run), "large", 1L << 28);
        large.start();
        large.join();
        System.out.println("ran");
    }
}
