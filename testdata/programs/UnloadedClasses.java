// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;

/** One class in many loaders, unloaded again: counts of classes that are gone, and several classes of one name. */
class UnloadedClasses {
    public static final class Worker implements IntUnaryOperator {
        static final long[] TABLE = new long[9]; // alloc: long[] x60

        @Override
        public int applyAsInt(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += new short[i].length + TABLE.length; // alloc: short[] x1770
            }
            return sum;
        }
    }

    static final class OwnLoader extends ClassLoader {
        private final byte[] bytes;

        OwnLoader(byte[] bytes) {
            super(UnloadedClasses.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> define() {
            return defineClass("UnloadedClasses$Worker", bytes, 0, bytes.length);
        }
    }

    private static final Class<?>[] NONE = {}; // alloc: java.lang.Class[] x1
    private static final Object[] NOTHING = {}; // alloc: java.lang.Object[] x1

    public static void main(String[] args) throws ReflectiveOperationException, IOException {
        byte[] bytes;
        try (InputStream file = UnloadedClasses.class.getResourceAsStream("UnloadedClasses$Worker.class")) {
            bytes = file.readAllBytes();
        }
        int sum = 0;
        for (int i = 0; i < 60; i++) {
            Class<?> worker = new OwnLoader(bytes).define(); // alloc: UnloadedClasses$OwnLoader x60
            IntUnaryOperator operator = (IntUnaryOperator) worker.getConstructor(NONE).newInstance(NOTHING); // unseen: UnloadedClasses$Worker x60
            sum += operator.applyAsInt(i);
            if (i % 20 == 19) {
                System.gc();
            }
        }
        System.out.println("checksum " + sum);
    }
}
