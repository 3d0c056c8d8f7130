import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Classes of one name whose loaders are forgotten, of which calls have made objects. */
public class Forgets {
    static Object sink;

    static class Loader extends ClassLoader {
        Loader() {
            super(Forgets.class.getClassLoader());
        }

        Class<?> define(byte[] file) {
            return defineClass(null, file, 0, file.length);
        }
    }

    public static class Forgotten {
        public Forgotten() {}
    }

    public static void main(String[] args) throws Exception {
        byte[] file;
        try (InputStream in = Forgets.class.getResourceAsStream("Forgets$Forgotten.class")) {
            file = in.readAllBytes();
        }
        List<WeakReference<Class<?>>> classes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Class<?> type = new Loader().define(file);
            sink = type.getDeclaredConstructor().newInstance();
            Object[] array = (Object[]) Array.newInstance(type, 3);
            sink = Arrays.copyOf(array, 4);
            classes.add(new WeakReference<>(type));
        }
        sink = null;
        for (int i = 0; i < 100 && !classes.isEmpty(); i++) {
            System.gc();
            classes.removeIf(reference -> reference.get() == null);
        }
        System.out.println(classes.size() + " left");
    }
}
