// threads: single, crosses: yes, min-jdk: 17, exit: 0, deterministic: yes

/** Exceptions that the JVM makes itself, on paths that allocate and on others, alone and beside some that the program makes. */
class Thrown {
    static final class Own extends NullPointerException {
        private static final long serialVersionUID = 1;
    }

    static Object text = "text";
    static Thrown nobody;
    static int[] none;
    int field;

    static int element(int[] values, int i) {
        return values[i];
    }

    static int divide(int a, int b) {
        int[] before = new int[2]; // alloc: int[] x30
        return before.length + a / b;
    }

    static long remainder(long a, long b) {
        return a % b + new Object[1].length; // alloc: java.lang.Object[] x15
    }

    static int cast() {
        return ((Integer) text) + new byte[1].length; // never reached
    }

    static int field(Thrown of) {
        return of.field;
    }

    int virtual() {
        return field + 1;
    }

    static int array(int length) {
        return new int[length].length + new short[length + 1][1].length; // alloc: int[] x10, short[][] x10, short[] x55
    }

    static void store(Object[] into, Object what) {
        into[0] = what;
    }

    static int lock(Object on) {
        synchronized (on) {
            return 1;
        }
    }

    static void copy(Object from, int[] to, int length) {
        System.arraycopy(from, 0, to, 0, length);
    }

    static void explicit(int i) {
        if (i % 3 == 0) {
            throw new NullPointerException("explicit"); // alloc: java.lang.NullPointerException x10
        }
        if (i % 3 == 1) {
            throw new Own(); // alloc: Thrown$Own x10
        }
        throw null;
    }

    interface Act {
        void run(int i) throws Throwable;
    }

    static int caught(int i, Act act) {
        try {
            act.run(i);
            return 0;
        } catch (Throwable t) {
            String message = t.getMessage();
            return t.getStackTrace()[0].getLineNumber() + (message == null || t instanceof NullPointerException ? 0 : message.length());
        }
    }

    public static void main(String[] args) {
        int sum = caught(-1, i -> element(null, new long[i].length)); // the class is loaded where it does not matter
        int[] few = {1, 2}; // alloc: int[] x1
        String[] strings = new String[1]; // alloc: java.lang.String[] x1
        for (int n = 0; n < 30; n++) {
            sum += caught(n, i -> element(few, i));
            sum += caught(n, i -> element(none, i));
            sum += caught(n, i -> divide(i, i % 2));
            sum += caught(n, i -> remainder(i, i % 2));
            sum += caught(n, i -> cast());
            sum += caught(n, i -> field(nobody));
            sum += caught(n, i -> nobody.virtual());
            sum += caught(n, i -> array(i % 3 == 0 ? i / 3 : -i));
            sum += caught(n, i -> store(strings, i == 7 ? "seven" : text.getClass()));
            sum += caught(n, i -> lock(i % 2 == 0 ? text : null));
            sum += caught(n, i -> copy(few, few, i));
            sum += caught(n, i -> copy(text, few, i));
            sum += caught(n, Thrown::explicit);
        }
        System.out.println("checksum " + sum);
    }
}
