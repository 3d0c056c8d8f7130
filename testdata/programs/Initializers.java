// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Static initializers: of classes, of interfaces with default methods, lazy, nested in one another. */
class Initializers {
    static final Object[] SHARED = {new Object(), new int[3], null}; // alloc: java.lang.Object[] x1, java.lang.Object x1, int[] x1
    static final long[] SQUARES = new long[20]; // alloc: long[] x1

    static {
        for (int i = 0; i < SQUARES.length; i++) {
            SQUARES[i] = i % 2 == 0 ? i : new byte[i].length * (long) i; // alloc: byte[] x10
        }
    }

    /** Initialised by its first default method's use, before the class that implements it. */
    interface Named {
        double[] WEIGHTS = {1, 2, 3}; // alloc: double[] x1

        default double weight(int i) {
            return WEIGHTS[i] + new float[i].length; // alloc: float[] x6
        }
    }

    /** Its only constant is computed, but nothing uses it: never initialised. */
    interface Idle {
        Object UNUSED = new Object();
    }

    static final class Thing implements Named, Idle {
        static final Thing FIRST = new Thing(); // alloc: Initializers$Thing x1
        static int made;
        final char[] name;

        Thing() {
            name = new char[++made]; // alloc: char[] x3
        }
    }

    static final class Holder {
        static final Holder INSTANCE = new Holder(); // alloc: Initializers$Holder x1
        final Thing thing = new Thing(); // alloc: Initializers$Thing x1
    }

    public static void main(String[] args) {
        double sum = SHARED.length + SQUARES[19];
        for (int i = 0; i < 3; i++) {
            sum += Holder.INSTANCE.thing.weight(i) + Thing.FIRST.weight(i);
        }
        sum += new Thing().name.length; // alloc: Initializers$Thing x1
        System.out.println("checksum " + sum);
    }
}
