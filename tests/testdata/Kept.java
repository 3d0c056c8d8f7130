import java.util.ArrayList;
import java.util.List;

/**
 * Keeps more and more objects while other threads lock some and make garbage: a thousand at once, or none, whatever
 * moment one looks at. Classes are loaded and unloaded meanwhile. It runs for so many milliseconds, and says how many
 * thousands it keeps.
 */
public class Kept {
    static class Item {
        final Part part = new Part();
    }

    static class Part {
        final long[] values = new long[2];
    }

    static class Chunk {
        final Item[] items;
        final Chunk next;

        Chunk(Item[] items, Chunk next) {
            this.items = items;
            this.next = next;
        }
    }

    static class Loader extends ClassLoader {
        Loader(ClassLoader parent) {
            super(parent);
        }

        Class<?> define(byte[] file) {
            return defineClass("Kept$Part", file, 0, file.length);
        }
    }

    static volatile Chunk chunks;
    static volatile Object sink;
    static volatile boolean over;

    static Item[] thousand() {
        Item[] items = new Item[1000];
        for (int i = 0; i < items.length; i++) {
            items[i] = new Item();
        }
        return items;
    }

    static void churn() {
        List<Object> recent = new ArrayList<>();
        for (int i = 0; !over; i++) {
            Object o = i % 3 == 0 ? new Item() : new byte[i % 500];
            synchronized (o) {
                recent.add(o);
                sink = o.hashCode();
            }
            if (recent.size() == 5000) {
                recent.clear();
            }
            if (i % 20_000 == 0) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
        byte[] file;
        try (var in = Kept.class.getResourceAsStream("Kept$Part.class")) {
            file = in.readAllBytes();
        }
        Thread[] threads = {new Thread(Kept::churn), new Thread(Kept::churn)};
        for (Thread t : threads) {
            t.start();
        }
        int thousands = 0;
        for (; System.nanoTime() < end; thousands++) {
            chunks = new Chunk(thousand(), chunks);
            for (int i = 0; i < 3; i++) {
                sink = new Loader(null).define(file).getDeclaredConstructors();
            }
            if (thousands % 20 == 19) {
                System.gc();
            }
            Thread.sleep(5);
        }
        over = true;
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(thousands);
        if (args.length > 1) {
            new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
            Thread.sleep(60_000);
        }
    }
}
