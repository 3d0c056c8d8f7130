import java.io.InputStream;

/**
 * Has threads come and go until its input ends, each of which makes some objects that stay, at one site in contexts of
 * its own; every third makes them in a class that is unloaded then. Lastly it says how many threads there were.
 */
public class KeepsOfThreads {
    static final int MOST = 4_000;
    public static final Object[][] kept = new Object[MOST][];
    static volatile boolean ended;

    public static final class Made {
        public long a;
    }

    /** Is loaded again and again. */
    public static class Maker implements Runnable {
        public void run() {
            Object[] objects = kept[Integer.parseInt(Thread.currentThread().getName().substring(7))];
            fill(objects);
            objects[0] = new Made();
        }
    }

    static final class Loader extends ClassLoader {
        final byte[] file;

        Loader(byte[] file) {
            super(KeepsOfThreads.class.getClassLoader());
            this.file = file;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("KeepsOfThreads$Maker")) {
                return super.loadClass(name, resolve);
            }
            return defineClass(name, file, 0, file.length);
        }
    }

    public static void fill(Object[] objects) {
        for (int i = 0; i < objects.length; i++) {
            objects[i] = new Made();
        }
    }

    static void one(Object[] objects) {
        fill(objects);
    }

    static void other(Object[] objects) {
        fill(objects);
    }

    static Runnable maker(int i, byte[] file) throws Exception {
        switch (i % 3) {
            case 0:
                return (Runnable) Class.forName("KeepsOfThreads$Maker", true, new Loader(file))
                        .getDeclaredConstructor().newInstance();
            case 1:
                return () -> one(kept[i]);
            default:
                return () -> other(kept[i]);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] file;
        try (InputStream in = KeepsOfThreads.class.getResourceAsStream("KeepsOfThreads$Maker.class")) {
            file = in.readAllBytes();
        }
        Thread input = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                }
            } catch (java.io.IOException e) {
                e.printStackTrace();
            }
            ended = true;
        });
        input.setDaemon(true);
        input.start();
        System.out.println("begun");
        int made = 0;
        while (!ended && made < MOST) {
            kept[made] = new Object[10 + made % 7];
            Thread worker = new Thread(maker(made, file), "worker " + made);
            worker.start();
            worker.join();
            made++;
            if (made % 20 == 0) {
                System.gc();
            }
            Thread.sleep(20);
        }
        System.gc();
        System.gc();
        System.out.println(made);
    }
}
