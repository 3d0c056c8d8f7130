// threads: single, crosses: yes, min-jdk: 17, exit: 0, deterministic: yes

/** Exceptions that strike between allocations: in loops, constructors, finally, monitors, and through several frames. */
class CrossingExceptions {
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        Failure() {
            super("failure", null, false, false);
        }
    }

    static final class Resource implements AutoCloseable {
        final byte[] buffer;

        Resource(int n) {
            buffer = new byte[16]; // alloc: byte[] x40
            if (n % 4 == 3) {
                throw new IllegalStateException(); // alloc: java.lang.IllegalStateException x10
            }
            buffer[0] = (byte) new short[n].length; // alloc: short[] x30
        }

        @Override
        public void close() throws Failure {
            if (buffer[0] % 5 == 0) {
                throw new Failure(); // alloc: CrossingExceptions$Failure x6
            }
        }
    }

    /** Some loop iterations end halfway. */
    static int halfIterations(int[] values) {
        int sum = 0;
        for (int i = 0; i < 30; i++) {
            try {
                Object before = new Object(); // alloc: java.lang.Object x30
                sum += values[i % 7];
                sum += before.hashCode() == 0 ? 0 : new long[1].length; // alloc: long[] x18
            } catch (ArrayIndexOutOfBoundsException outside) {
                sum += new int[2].length; // alloc: int[] x12
            }
        }
        return sum;
    }

    static int deep(int depth) throws Failure {
        char[] mark = new char[depth + 1]; // alloc: char[] x66
        if (depth == 0) {
            throw new Failure(); // alloc: CrossingExceptions$Failure x11
        }
        int sum = deep(depth - 1) + mark.length;
        return sum + new double[sum].length; // never reached
    }

    static int caughtOnTheWay(int depth) {
        try {
            return deep(depth) + new Object().hashCode(); // never allocated
        } catch (Failure failure) {
            return depth;
        } finally {
            finished += new float[1].length; // alloc: float[] x11
        }
    }

    static int finished;

    static int resources(int n) {
        try (Resource first = new Resource(n)) { // alloc: CrossingExceptions$Resource x40
            return first.buffer[0] + new int[1].length; // alloc: int[] x30
        } catch (IllegalStateException refused) {
            return -1;
        } catch (Failure failure) {
            return new int[3].length; // alloc: int[] x6
        }
    }

    static final Object LOCK = new Object(); // alloc: java.lang.Object x1

    static int locked(Object candidate) {
        int sum = new byte[1].length; // alloc: byte[] x20
        try {
            synchronized (LOCK) {
                sum += new byte[2].length; // alloc: byte[] x20
                sum += ((String) candidate).length();
                sum += new byte[3].length; // alloc: byte[] x7
            }
        } catch (ClassCastException | NullPointerException wrong) {
            sum += new byte[4].length; // alloc: byte[] x13
        }
        return sum;
    }

    /** The allocation itself fails, so it must not be counted. */
    static int negative(int n) {
        try {
            Object before = new Object(); // alloc: java.lang.Object x10
            int length = new long[5 - n].length; // alloc: long[] x6
            return length + new short[1 - n][2].length + before.hashCode() % 1; // alloc: short[][] x2, short[] x1
        } catch (NegativeArraySizeException negative) {
            return 0;
        }
    }

    public static void main(String[] args) {
        int sum = halfIterations(new int[] {1, 2, 3, 4}); // alloc: int[] x1
        for (int depth = 0; depth <= 10; depth++) {
            sum += caughtOnTheWay(depth);
        }
        for (int i = 0; i < 40; i++) {
            sum += resources(i);
        }
        for (int i = 0; i < 20; i++) {
            sum += locked(i % 3 == 0 ? null : i % 3 == 1 ? "text" : (Object) i);
        }
        for (int i = 0; i < 10; i++) {
            sum += negative(i);
        }
        System.out.println("checksum " + sum + " " + finished);
    }
}
