import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A class that several loaders load, each of which makes as many objects of it as it is told: the application's 100,
 * others 1000, 2000, 4000; one that made 3000 is unloaded before the last of them comes. A static field keeps them.
 */
public class Plugins {
    static final List<IntConsumer> plugins = new ArrayList<>();
    static IntConsumer passing;

    public static class Made {
        long a, b;
    }

    public static class Plugin implements IntConsumer {
        static Made[] kept;

        @Override
        public void accept(int n) {
            kept = new Made[n];
            for (int i = 0; i < n; i++) {
                Made m = new Made();
                m.a = i;
                kept[i] = m;
            }
            Runnable lambda = () -> kept[0].b += n; // of a class of its own
            lambda.run();
        }
    }

    static IntConsumer load() throws Exception {
        URL[] here = {Plugins.class.getProtectionDomain().getCodeSource().getLocation()};
        ClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader());
        return (IntConsumer) loader.loadClass("Plugins$Plugin").getDeclaredConstructor().newInstance();
    }

    static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
    }

    /** Has a loader come and go. */
    static WeakReference<?> pass() throws Exception {
        passing = load();
        passing.accept(3000);
        collect();
        WeakReference<?> gone = new WeakReference<>(passing.getClass().getClassLoader());
        passing = null;
        return gone;
    }

    public static void main(String[] args) throws Exception {
        new Plugin().accept(100);
        for (int n : new int[] {1000, 2000}) {
            plugins.add(load());
            plugins.get(plugins.size() - 1).accept(n);
        }
        WeakReference<?> gone = pass();
        while (gone.get() != null) {
            collect();
        }
        plugins.add(load());
        plugins.get(2).accept(4000);
        collect();
    }
}
