import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Keeps objects in the ways in which programs do, or none: "Keeps WAY MILLISECONDS COLLECTIONS PER_SECOND". Meanwhile
 * it makes garbage, and asks for so many full collections.
 */
public class Keeps {
    static class Registered { final long[] state = new long[4]; }
    static class Heard implements Listener { final long[] state = new long[4]; }
    static class Session { final long[] state = new long[4]; }
    static class Slow { long a; }
    static class Cached { final long key; Cached(long key) { this.key = key; } }
    static class Request { final long[] body = new long[12]; }

    interface Listener { }

    /** What a loader of its own loads, and what keeps that loader. */
    public static class Plugin {
        static final long[] state = new long[500];
        public Plugin() { }
    }

    static class Loader extends ClassLoader {
        Loader() { super(Keeps.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Keeps$Plugin")) return super.loadClass(name, resolve);
            return defineClass(name, pluginClass, 0, pluginClass.length);
        }
    }

    static class Button {
        final List<Listener> listeners = new ArrayList<>(1 << 19);
        void add(Listener l) { listeners.add(l); }
    }

    static final List<Object> registry = new ArrayList<>(1 << 19);
    static final Button button = new Button();
    static final ThreadLocal<List<Session>> sessions = ThreadLocal.withInitial(() -> new ArrayList<>(1 << 18));
    static final List<Object> plugins = new ArrayList<>(1 << 14);
    static final Map<Long, Cached> cache = new LinkedHashMap<>(1 << 15, 0.75f, true) {
        @Override protected boolean removeEldestEntry(Map.Entry<Long, Cached> eldest) { return size() > limit; }
    };
    static final ArrayDeque<Request> requests = new ArrayDeque<>(1 << 17);
    static byte[] pluginClass;
    static int limit;
    static boolean quiet;
    static volatile Object sink;

    /** One of many steps. */
    interface Step { void take(long number) throws Exception; }

    static void register(long n) { registry.add(new Registered()); }
    static void listen(long n) { button.add(new Heard()); }
    static void begin(long n) { sessions.get().add(new Session()); }
    static void plug(long n) throws Exception {
        plugins.add(new Loader().loadClass("Keeps$Plugin").getDeclaredConstructor().newInstance());
    }
    static void slowly(long n) { registry.add(new Slow()); }
    static void cache(long n) { cache.put(n, new Cached(n)); }
    static void large(long n) { sink = new byte[800_000]; }
    static void request(long n) {
        requests.addLast(new Request());
        if (requests.size() > limit) requests.removeFirst();
    }
    static void nothing(long n) { }

    /** How many pieces of garbage there are, however busy the machine is. */
    static final double GARBAGE = 1_000_000;

    /** Takes so many steps in a second, and makes garbage, all the time as much. */
    static void run(Step step, long milliseconds, long collections, double perSecond) throws Exception {
        long start = System.nanoTime(), steps = 0, collected = 0;
        for (long made = 0; ; made++) {
            double elapsed = (System.nanoTime() - start) / 1e9, due = made / GARBAGE * milliseconds / 1000;
            if (due > elapsed) Thread.sleep(1);
            double now = Math.min(elapsed, due);
            if (now * 1000 >= milliseconds) return;
            for (; steps < perSecond * now; steps++) step.take(steps);
            for (; collected < collections * now * 1000 / milliseconds; collected++) System.gc();
            if (!quiet) sink = new byte[1000];
        }
    }

    /** Keeps nearly all of the heap, and makes garbage in the rest of it. */
    static void crowd(long milliseconds) {
        List<byte[]> all = new ArrayList<>(1 << 16);
        try {
            while (true) all.add(new byte[10_000]);
        } catch (OutOfMemoryError e) {
            for (int i = all.size() / 20; i > 0; i--) all.remove(all.size() - 1);
        }
        long start = System.nanoTime();
        while ((System.nanoTime() - start) / 1_000_000 < milliseconds) {
            try {
                sink = new byte[1000];
            } catch (OutOfMemoryError e) {
                all.remove(all.size() - 1);
            }
        }
        System.out.println(all.size());
    }

    public static void main(String[] args) throws Exception {
        String way = args[0];
        long milliseconds = Long.parseLong(args[1]), collections = Long.parseLong(args[2]);
        double perSecond = Double.parseDouble(args[3]);
        switch (way) {
            case "static": run(Keeps::register, milliseconds, collections, perSecond); break;
            case "listener": run(Keeps::listen, milliseconds, collections, perSecond); break;
            case "slow": run(Keeps::slowly, milliseconds, collections, perSecond); break;
            case "large":
                quiet = true;
                run(Keeps::large, milliseconds, collections, perSecond);
                break;
            case "churn": run(Keeps::nothing, milliseconds, collections, perSecond); break;
            case "thread": {
                Thread[] threads = new Thread[2];
                CountDownLatch done = new CountDownLatch(threads.length);
                for (int i = 0; i < threads.length; i++) {
                    long full = i == 0 ? collections : 0;
                    threads[i] = new Thread(() -> {
                        try {
                            run(Keeps::begin, milliseconds, full, perSecond / threads.length);
                            done.countDown();
                            new CountDownLatch(1).await(); // a pool's thread lives on
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    threads[i].setDaemon(true);
                    threads[i].start();
                }
                done.await();
                break;
            }
            case "loader":
                try (InputStream in = Keeps.class.getResourceAsStream("/Keeps$Plugin.class")) {
                    pluginClass = in.readAllBytes();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                run(Keeps::plug, milliseconds, collections, perSecond);
                break;
            case "cache": // full after a quarter of the time
                limit = (int) (perSecond * milliseconds / 4000);
                run(Keeps::cache, milliseconds, collections, perSecond);
                break;
            case "beside": // the same cache, and a slow leak
                limit = (int) (perSecond * milliseconds / 4000);
                run(n -> {
                    cache(n);
                    if (n % 100 == 0) slowly(n);
                }, milliseconds, collections, perSecond);
                break;
            case "requests": // each lives for 10 ms
                limit = (int) (perSecond / 100);
                run(Keeps::request, milliseconds, collections, perSecond);
                break;
            case "crowd": crowd(milliseconds); break;
            default: throw new IllegalArgumentException(way);
        }
    }
}
