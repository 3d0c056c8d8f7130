// threads: single, crosses: yes, min-jdk: 17, exit: 0, deterministic: yes

/** Exceptions through nested try, catch and finally that rethrow, wrap and replace; hot loops that use them for control flow. */
class NestedExceptions {
    static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stop(Throwable cause) {
            super("stop", cause, false, false);
        }
    }

    static final class Initialized {
        static final int[] DATA = new int[3]; // alloc: int[] x1
        static final Object OTHER = new Object(); // alloc: java.lang.Object x1
        static final int VALUE = Integer.parseInt("no number") + new long[2].length; // never allocated
    }

    static final Stop STOP = new Stop(null); // alloc: NestedExceptions$Stop x1

    static void strike(int n, int when) {
        if (n == when) {
            throw STOP;
        }
    }

    /** Strikes at one of seven points. */
    static int nested(int n) {
        int sum = new byte[1].length; // alloc: byte[] x70
        try {
            strike(n, 0);
            sum += new short[1].length; // alloc: short[] x60
            try {
                strike(n, 1);
                char[] inner = new char[2]; // alloc: char[] x50
                strike(n, 2);
                sum += inner.length + new int[n].length; // alloc: int[] x40
                strike(n, 3);
            } catch (Stop stop) {
                long[] caught = new long[1]; // alloc: long[] x30
                strike(n, 2);
                throw new Stop(stop); // alloc: NestedExceptions$Stop x20
            } finally {
                float[] last = new float[1]; // alloc: float[] x60
                strike(n, 4);
                sum += last.length + new float[2].length; // alloc: float[] x50
            }
            sum += new double[1].length; // alloc: double[] x20
            strike(n, 5);
        } catch (Stop stop) {
            sum += stop.getCause() == null ? 1 : new Object[1].length; // alloc: java.lang.Object[] x20
        } finally {
            sum += new boolean[n].length; // alloc: boolean[] x70
        }
        return sum;
    }

    /** The loop is left by an exception each time, and goes on by one in between. */
    static int controlFlow(int[] values) {
        int sum = 0;
        for (int i = 0; ; i++) {
            try {
                Object each = new Object(); // alloc: java.lang.Object x27000
                sum += values[i % 10];
                sum += new byte[2].length + each.hashCode() % 1; // alloc: byte[] x19250
            } catch (ArrayIndexOutOfBoundsException outside) {
                if (i >= 100) {
                    return sum;
                }
                long[] ignored = new long[1]; // alloc: long[] x7500
                try {
                    sum += ignored[values.length % 2];
                } catch (RuntimeException again) {
                    sum++;
                }
            }
        }
    }

    static int perSwitch(int n, Object[] objects) {
        int sum = 0;
        int[] shared = new int[1]; // alloc: int[] x20
        switch (n % 4) {
            case 0:
                sum += new char[1].length; // alloc: char[] x5
                sum += ((String) objects[n % 3]).length();
                sum += new char[2].length; // alloc: char[] x2
                // falls through
            case 1:
                sum += new short[1].length; // alloc: short[] x7
                sum += objects[n % 5].hashCode() % 1;
                sum += new short[2].length; // alloc: short[] x5
                break;
            case 2:
                synchronized (shared) {
                    sum += new boolean[1].length; // alloc: boolean[] x5
                    sum += 10 / (n - 10);
                    sum += new boolean[2].length; // alloc: boolean[] x4
                }
                break;
            default:
                sum += new long[4 - n].length; // alloc: long[] x1
                sum += new double[1].length; // alloc: double[] x1
        }
        return sum + new float[1].length; // alloc: float[] x10
    }

    static synchronized int synchronizedMethod(Object o) {
        byte[] before = new byte[1]; // alloc: byte[] x10
        int sum = ((Integer) o) + before.length;
        return sum + new byte[2].length; // alloc: byte[] x5
    }

    static int initialized() {
        Object before = new Object(); // alloc: java.lang.Object x3
        try {
            short[] inside = new short[1]; // alloc: short[] x3
            return Initialized.VALUE + inside.length;
        } catch (LinkageError error) {
            return new char[1].length; // alloc: char[] x3
        } finally {
            before.hashCode();
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 70; i++) {
            sum += nested(i % 7);
        }
        int[] values = new int[7]; // alloc: int[] x1
        for (int i = 0; i < 250; i++) {
            sum += controlFlow(values);
        }
        Object[] objects = {"text", 1, null, "more", 2}; // alloc: java.lang.Object[] x1
        for (int i = 0; i < 20; i++) {
            try {
                sum += perSwitch(i, objects);
            } catch (ClassCastException | NullPointerException | ArithmeticException | NegativeArraySizeException e) {
                sum++;
            }
        }
        for (int i = 0; i < 10; i++) {
            try {
                sum += synchronizedMethod(i % 2 == 0 ? (Object) i : "text");
            } catch (ClassCastException e) {
                sum++;
            }
        }
        for (int i = 0; i < 3; i++) {
            sum += initialized();
        }
        System.out.println("checksum " + sum);
    }
}
