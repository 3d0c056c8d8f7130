/**
 * Recursions that end with a StackOverflowError, at a depth that differs from run to run, in several threads at once. Each counts what it makes, in arrays, which
 * have no constructors that could overflow as well, and main prints how much of each class that is.
 */
class Overflow implements Runnable {
    static final int THREADS = 3, ROUNDS = 7;
    static final long STACK = 300 << 10;

    static class Own extends RuntimeException {
        Own() {
            super(null, null, false, false);
        }
    }

    final Own own = new Own();
    long booleans, objects, shorts, chars, floats, doubles, longs, ints, elements;
    int sink;
    String seen = "";

    /** Its φ is zero where it calls. */
    void tiny() {
        sink += new boolean[1].length;
        booleans++;
        tiny();
    }

    /** Its φ is of what it has made before the call. */
    int fall(int n) {
        Object[] before = new Object[1];
        objects++;
        int below = fall(n + 1);
        Object[] after = new Object[2];
        objects++;
        return below + before.length + after.length;
    }

    /** Overflows again while it ends. */
    int leaves(int n) {
        short[] before = new short[1];
        shorts++;
        try {
            return leaves(n + 1) + 1;
        } finally {
            note();
            sink += before.length;
        }
    }

    void note() {
        short[] made = new short[2];
        shorts++;
        sink += plain(0) + made.length;
    }

    int plain(int n) {
        return n == 3 ? n : plain(n + 1);
    }

    /** Catches where there is least room, and throws on from some frames. */
    int caughtInEach(int n) {
        char[] before = new char[1];
        chars++;
        try {
            return caughtInEach(n + 1);
        } catch (StackOverflowError overflow) {
            char[] after = new char[2];
            chars++;
            if (n % 3 == 0) {
                throw overflow;
            }
            return before.length + after.length;
        }
    }

    static class Base {
        Base(int n) {}
    }

    /** Makes something before this is initialised, and its φ is not zero behind. */
    static class Nest extends Base {
        final Nest below;
        final float[] last;

        Nest(Overflow counts, int n) {
            super((int) counts.floats++ + new float[1].length);
            float[] made = new float[2];
            counts.floats++;
            below = new Nest(counts, n + 1);
            last = made;
        }
    }

    synchronized int locked(int n) {
        double[] before = new double[1];
        doubles++;
        synchronized (before) {
            int below = locked(n + 1);
            double[] after = new double[2];
            doubles++;
            return below + before.length + after.length;
        }
    }

    /** Throws something else where there is least room. */
    int other(int n) {
        long[] before = new long[1];
        longs++;
        try {
            return otherBelow(n) + before.length;
        } catch (StackOverflowError overflow) {
            throw own;
        }
    }

    int otherBelow(int n) {
        long[] before = new long[2];
        longs++;
        int below = other(n + 1);
        long[] after = new long[3];
        longs++;
        return below + before.length + after.length;
    }

    /** Sums lengths. */
    int arrays(int n) {
        int[] before = new int[n & 7];
        ints++;
        elements += n & 7;
        return arrays(n + 1) + before.length;
    }

    void overflow(Runnable recursion) {
        try {
            recursion.run();
        } catch (StackOverflowError overflow) {
            StackTraceElement[] trace = overflow.getStackTrace();
            seen += overflow.getClass().getName() + (trace[0].getClassName().startsWith("Overflow") ? " " : " in " + trace[0] + " ");
        } catch (Own other) {
            seen += other == own ? "own " : "another ";
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < ROUNDS; i++) {
            overflow(() -> tiny());
            overflow(() -> fall(0));
            overflow(() -> leaves(0));
            overflow(() -> caughtInEach(0));
            overflow(() -> new Nest(this, 0));
            overflow(() -> locked(0));
            overflow(() -> other(0));
            overflow(() -> arrays(0));
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 100_000; i++) {
            Warm.up();
        }
        Overflow[] all = new Overflow[THREADS];
        Thread[] threads = new Thread[THREADS];
        Overflow sum = new Overflow();
        for (int i = 0; i < THREADS; i++) {
            all[i] = new Overflow();
            threads[i] = new Thread(null, all[i], "overflow " + i, STACK);
            threads[i].start();
        }
        for (int i = 0; i < THREADS; i++) {
            threads[i].join();
            Overflow counts = all[i];
            sum.booleans += counts.booleans;
            sum.objects += counts.objects;
            sum.shorts += counts.shorts;
            sum.chars += counts.chars;
            sum.floats += counts.floats;
            sum.doubles += counts.doubles;
            sum.longs += counts.longs;
            sum.ints += counts.ints;
            sum.elements += counts.elements;
            System.out.println("seen " + counts.seen);
        }
        System.out.println("boolean[] " + sum.booleans);
        System.out.println("java.lang.Object[] " + sum.objects);
        System.out.println("short[] " + sum.shorts);
        System.out.println("char[] " + sum.chars);
        System.out.println("float[] " + sum.floats);
        System.out.println("double[] " + sum.doubles);
        System.out.println("long[] " + sum.longs);
        System.out.println("int[] " + sum.ints);
        System.out.println("elements " + sum.elements);
    }
}

/** Has what counts compiled. */
class Warm {
    static byte[] last;

    static void up() {
        last = new byte[8];
    }
}
