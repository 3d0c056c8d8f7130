import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Makes so many loaders, one after the other, each of which loads a class that makes one object of each of three classes.
 * Of one loader in ten one object lives on. Loaders are unloaded, 200 at a time.
 */
public class Unloads {
    /** Loaded anew by each loader. */
    public static class Work implements IntFunction<short[]> {
        static Object sink;

        @Override
        public short[] apply(int n) {
            sink = new Work();
            sink = new int[n & 7];
            return new short[n & 7];
        }
    }

    static final class OwnLoader extends ClassLoader {
        @SuppressWarnings("unchecked")
        IntFunction<short[]> work(String name, byte[] bytes) throws Exception {
            return (IntFunction<short[]>) defineClass(name, bytes, 0, bytes.length).getConstructor().newInstance();
        }
    }

    static final List<short[]> kept = new ArrayList<>();
    static short[] last;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { });
        other.start();
        other.join();
        String name = "Unloads$Work";
        byte[] bytes;
        try (var file = Unloads.class.getResourceAsStream(name + ".class")) {
            bytes = file.readAllBytes();
        }
        int loaders = Integer.parseInt(args[0]);
        for (int i = 0; i < loaders; i++) {
            last = new OwnLoader().work(name, bytes).apply(i);
            if (i % 10 == 0) {
                kept.add(last);
            }
            if (i % 200 == 199) {
                System.gc();
            }
        }
        System.out.println(kept.size());
    }
}
