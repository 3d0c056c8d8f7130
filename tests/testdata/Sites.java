import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Keeps objects of classes that one place makes, or two, or one in each of two class loaders, or the JVM as well. */
public class Sites {
    static class One {}

    static class Two {}

    public static class Loaded {}

    public static class Maker {
        public static void make(List<Object> to) {
            to.add(new Loaded());
        }
    }

    static class Cloned implements Cloneable {
        Cloned copy() throws CloneNotSupportedException {
            return (Cloned) clone();
        }
    }

    static final List<Object> kept = new ArrayList<>();
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1000; i++) {
            int n = i;
            kept.add(new One());
            kept.add(i % 2 == 0 ? new Two() : new Two());
            kept.add((IntSupplier) () -> n);
            sink = new byte[100_000];
        }
        kept.add(new Cloned().copy());
        URL[] classes = {Sites.class.getProtectionDomain().getCodeSource().getLocation()};
        for (int i = 0; i < 2; i++) {
            Class<?> maker = new URLClassLoader(classes, null).loadClass("Sites$Maker");
            maker.getMethod("make", List.class).invoke(null, kept);
        }
        System.gc();
        System.out.println(kept.size());
    }
}
