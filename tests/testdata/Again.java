import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Loaders that each define one of two classes. Loader i's makes i % 2 arrays of objects, 1 + i % 7 of strings and 1 + i % 5 of
 * numbers by one call, and has the VM call its loader, which makes 1 + i % 3 arrays of bytes there.
 */
public class Again {
    public static final Object[] OBJECTS = new Object[1], NAMES = new String[1], NUMBERS = new Integer[1];
    static volatile Object sink;

    public static class Plugin implements IntUnaryOperator {
        static Object[] copy(Object[] array) {
            return Arrays.copyOf(array, 2);
        }

        @Override
        public int applyAsInt(int n) {
            int sum = n % 2 == 0 ? 0 : copy(OBJECTS).length;
            for (int i = 0; i <= n % 7; i++) {
                sum += copy(NAMES).length;
            }
            for (int i = 0; i <= n % 5; i++) {
                sum += copy(NUMBERS).length;
            }
            return sum + Used.number; // no call, but the VM loads the class here
        }
    }

    /** The same, whose methods are others by number. */
    public static class Other implements IntUnaryOperator {
        static int[] first(int n) {
            return new int[n];
        }

        static Object[] copy(Object[] array) {
            return Arrays.copyOf(array, 2);
        }

        static int second(int n) {
            return first(n).length;
        }

        @Override
        public int applyAsInt(int n) {
            int sum = n % 2 == 0 ? 0 : copy(OBJECTS).length;
            for (int i = 0; i <= n % 7; i++) {
                sum += copy(NAMES).length;
            }
            for (int i = 0; i <= n % 5; i++) {
                sum += copy(NUMBERS).length;
            }
            return sum + second(n) + Used.number; // the same
        }
    }

    public static class Used {
        public static int number = 1;
    }

    static final class OwnLoader extends ClassLoader {
        final int number;

        OwnLoader(int number) {
            this.number = number;
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            for (int i = 0; i <= number % 3 && name.equals("Again$Used"); i++) {
                sink = new byte[1];
            }
            return super.loadClass(name);
        }
    }

    static byte[] bytes(String name) throws Exception {
        try (var file = Again.class.getResourceAsStream(name + ".class")) {
            return file.readAllBytes();
        }
    }

    public static void main(String[] args) throws Exception {
        byte[][] files = {bytes("Again$Plugin"), bytes("Again$Other")};
        List<IntUnaryOperator> plugins = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            boolean other = i % 4 >= 2;
            Class<?> plugin = new OwnLoader(i).define(other ? "Again$Other" : "Again$Plugin", files[other ? 1 : 0]);
            plugins.add((IntUnaryOperator) plugin.getConstructor().newInstance());
        }
        for (int i = 0; i < plugins.size(); i++) {
            sum += plugins.get(i).applyAsInt(i);
        }
        System.out.println("sum " + sum);
    }
}
