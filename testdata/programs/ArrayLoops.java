// threads: single, crosses: yes, min-jdk: 17, exit: 3, deterministic: yes

/**
 * Loops in which arrays of computed length stand for other objects of their iteration: left in the middle by break, continue, return and exceptions of
 * every kind, nested, and by the end of the JVM.
 */
class ArrayLoops {
    static Object kept;
    static int sum;

    static void nested(int n) {
        outer:
        for (int i = 0; i < n; i++) {
            kept = new ArrayLoops(); // alloc: ArrayLoops x30
            for (int j = 0; j <= i; j++) {
                kept = new Object(); // alloc: java.lang.Object x113
                if ((i + j) % 7 == 6) {
                    continue outer;
                }
                kept = new byte[j]; // alloc: byte[] x86
                if (j == 19) {
                    break outer;
                }
                kept = new StringBuilder(0); // alloc: java.lang.StringBuilder x86
            }
            kept = new int[i]; // alloc: int[] x3
        }
    }

    static int thrown(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                kept = new ArrayLoops(); // alloc: ArrayLoops x5000
                int[] ints = new int[i % 5]; // alloc: int[] x5000
                kept = new Object(); // alloc: java.lang.Object x5000
                ints[3] = i; // fails unless i % 5 is 4
                kept = new long[i % 3]; // alloc: long[] x1000
                kept = new Object[caught]; // alloc: java.lang.Object[] x1000
            } catch (ArrayIndexOutOfBoundsException e) {
                caught++;
            } finally {
                kept = new char[caught & 3]; // alloc: char[] x5000
            }
        }
        return caught;
    }

    static Object negative(int n) {
        Object last = null;
        for (int i = n; ; i--) {
            try {
                last = new ArrayLoops(); // alloc: ArrayLoops x52
                kept = new short[i]; // alloc: short[] x51
                last = kept;
            } catch (NegativeArraySizeException e) {
                kept = new double[n]; // alloc: double[] x1
                return last;
            }
        }
    }

    static Object returned(int n) {
        while (true) {
            Object o = new Object(); // alloc: java.lang.Object x61
            float[] f = new float[n]; // alloc: float[] x61
            if (n-- == 0) {
                return f;
            }
            kept = o;
            do {
                kept = new boolean[n]; // alloc: boolean[] x178
            } while (sum++ % 3 != 0);
        }
    }

    static void ends(int n) {
        for (int i = 0; ; i++) {
            kept = new ArrayLoops(); // alloc: ArrayLoops x4001
            kept = new byte[i]; // alloc: byte[] x4001
            kept = new Object(); // alloc: java.lang.Object x4001
            if (i == n) {
                System.exit(3);
            }
            kept = new String[i]; // alloc: java.lang.String[] x4000
        }
    }

    public static void main(String[] args) {
        nested(30);
        System.out.println("checksum " + thrown(5000));
        System.out.println(negative(50).getClass());
        System.out.println(returned(60).getClass());
        ends(4000);
    }
}
