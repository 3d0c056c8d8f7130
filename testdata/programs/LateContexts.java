// threads: single, crosses: yes, min-jdk: 17, exit: 0, deterministic: yes

import java.util.function.IntFunction;

/** Methods that allocate and call only at times: behind checks, loops, initialisers, exceptions, and calls of methods that do nothing. */
class LateContexts {
    static final class Counter {
        private int count;

        int get() {
            return count;
        }

        void raise(int[] by, int i) {
            count += by[i];
        }
    }

    static class Lazy {
        static final int[] TABLE = new int[8]; // alloc: int[] x1

        static int zero() {
            return 0;
        }
    }

    static class Plain {
        static final long[] TABLE = filled(); // initialised by the call of a method that does nothing

        static long[] filled() {
            return new long[3]; // alloc: long[] x1
        }

        static int one() {
            return 1;
        }
    }

    /** Is loaded when Plain has been, so that its calls need say nothing. */
    static class Caller {
        static int call(int i) {
            int sum = Plain.one();
            if (i % 2 == 0) {
                return sum;
            }
            return sum + new char[i].length; // alloc: char[] x10
        }
    }

    static int checked(int i) {
        if (i < 0) {
            throw new IllegalArgumentException(); // alloc: java.lang.IllegalArgumentException x20
        }
        return i;
    }

    static int either(int i) {
        if (i % 5 == 0) {
            return checked(i);
        } else if (i % 5 == 1) {
            return new byte[i].length; // alloc: byte[] x8
        }
        return i;
    }

    static int behindLoop(int[] values, int limit) {
        int i = 0;
        while (i < values.length && values[i] < limit) {
            i++;
        }
        return i == values.length ? 0 : new short[i].length; // alloc: short[] x6
    }

    static int inLoop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) {
                sum += new float[i].length; // alloc: float[] x45
            }
        }
        return sum;
    }

    static int initialises(boolean now) {
        int sum = now ? Lazy.TABLE.length : 1;
        if (sum > 1) {
            sum += new double[2].length; // alloc: double[] x1
        }
        return sum;
    }

    static int afterException(int[] values, int i) {
        int sum = 0;
        try {
            sum = values[i];
        } catch (ArrayIndexOutOfBoundsException outside) {
            sum = new boolean[1].length; // alloc: boolean[] x6
        }
        if (sum == 1) {
            sum += new Object[sum].length; // alloc: java.lang.Object[] x7
        }
        return sum;
    }

    static int calling(Counter counter, int[] by, int i) {
        counter.raise(by, i); // an exception at times
        return counter.get() % 2 == 0 ? 0 : new Counter[1].length; // alloc: LateContexts$Counter[] x4
    }

    static int recursive(int n) {
        if (n == 0) {
            return 0;
        }
        if (n % 4 == 1) {
            return recursive(n - 1) + new int[1][].length; // alloc: int[][] x6
        }
        return n % 2 == 0 ? recursive(n - 1) : recursive(n - 2);
    }

    static synchronized int locked(int i) {
        switch (i) {
            case 0:
            case 1:
                return i;
            case 2:
                return new String[i].length; // alloc: java.lang.String[] x2
            default:
                synchronized (LateContexts.class) {
                    return new Class<?>[i].length; // alloc: java.lang.Class[] x2
                }
        }
    }

    static int lambdas(int n) {
        IntFunction<Object> sometimes = i -> i < 3 ? null : new long[i][]; // alloc: long[][] x4
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += sometimes.apply(i) == null ? 0 : 1;
        }
        return sum;
    }

    static int tried(int i) {
        try {
            return checked(i);
        } catch (IllegalArgumentException negative) {
            return 0;
        }
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = -20; i < 20; i++) {
            sum += tried(i);
        }
        for (int i = 0; i < 40; i++) {
            sum += either(i);
        }
        int[] values = {1, 2, 3, 4, 5, 6}; // alloc: int[] x1
        for (int limit = 1; limit < 10; limit++) {
            sum += behindLoop(values, limit);
        }
        for (int i = 0; i < 16; i++) {
            sum += inLoop(i);
        }
        sum += initialises(false) + initialises(true);
        for (int i = 0; i < 12; i++) {
            sum += afterException(values, i);
        }
        Counter counter = new Counter(); // alloc: LateContexts$Counter x1
        for (int i = 0; i < 9; i++) {
            try {
                sum += calling(counter, values, i);
            } catch (ArrayIndexOutOfBoundsException outside) {
                sum++;
            }
        }
        sum += recursive(11) + recursive(12);
        for (int i = 0; i < 4; i++) {
            sum += locked(i) + locked(3 - i);
        }
        sum += lambdas(7);
        Class.forName("LateContexts$Plain", false, LateContexts.class.getClassLoader());
        for (int i = 0; i < 20; i++) {
            sum += Caller.call(i);
        }
        System.out.println("checksum " + (sum + Lazy.zero()));
    }
}
