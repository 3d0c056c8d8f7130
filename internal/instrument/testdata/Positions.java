/** Methods that show where code is inserted, and what. */
class Positions {
    Object kept;

    /** The call of super() owes nothing, so what is made for it is counted before. */
    Positions(Object o) {
        kept = o;
    }

    Positions() {
        this(new Object());
    }

    /** Before return: one way through. */
    static Object straight() {
        return new StringBuilder().append(new Object());
    }

    /** Fall-through: the edge from the branch to the next instruction. */
    static Object rare(Object o) {
        if (o == null) {
            o = new Object();
        }
        return o;
    }

    /** Taken: who has o already skips an allocation that the end counts along with its own, and takes it back on a pad. */
    static Object skipped(Object o) {
        if (o != null) {
            o = new Object();
        }
        return new Object[] {o, o};
    }

    /** Fall-through: the same, on the edge from the second arm into the code after both. */
    static Object otherwise(Object o) {
        int n = 0;
        if (o != null) {
            o = new Object();
        } else {
            n++;
        }
        return new Object[] {o, n > 0 ? o : null};
    }

    /** The parallel edges of a switch share a pad. */
    static Object choose(int n) {
        Object o = null;
        switch (n) {
            default:
                o = new Object();
            case 1:
            case 3:
        }
        return new Object[] {o, o};
    }

    /** Handlers owe nothing, nor does the end: both ways there need a counter. */
    static Object handled(Object o) {
        try {
            o = new Object();
            o.notify();
        } catch (IllegalMonitorStateException e) {
            o = new StringBuilder();
        }
        return o;
    }

    /** Lengths that are constants are not summed. */
    static int constant() {
        return new byte[5].length + new char[300].length + new long[70000].length;
    }

    /** The sum of lengths and of sizes, by the size of the elements. */
    static Object sums(int n) {
        boolean[] booleans = new boolean[n];
        char[] chars = new char[n];
        int[] ints = new int[n];
        double[] doubles = new double[n];
        return new String[n];
    }

    /** Every level has a site; the last argument but one is the logarithm of the size of elements at the last level. */
    static Object multi(int n) {
        long[][] longs = new long[n][n];
        Object[][][] objects = new Object[n][n][];
        return longs;
    }
}
