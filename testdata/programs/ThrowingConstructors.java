// threads: single, crosses: yes, min-jdk: 17, exit: 0, deterministic: yes

/** Constructors that throw before super(), in it, and after it, in initialisers and in the middle of a path. */
class ThrowingConstructors {
    static int check(int n, int bad) {
        if (n % 5 == bad) {
            throw new IllegalArgumentException(); // alloc: java.lang.IllegalArgumentException x60
        }
        return n;
    }

    static class Base {
        final int[] field = new int[2]; // alloc: int[] x90

        Base(int n, Object o) {
            byte[] before = new byte[1]; // alloc: byte[] x90
            check(n, 1);
            field[0] = before.length + new byte[2].length; // alloc: byte[] x70
        }
    }

    static final class Derived extends Base {
        final short[] other;

        Derived(int n) {
            super(n + new char[check(n, 0) % 3].length * 0, n % 2 == 0 ? new Object() : new int[n % 3]); // alloc: char[] x40, java.lang.Object x20, int[] x20
            long[] after = new long[1]; // alloc: long[] x30
            check(n, 2);
            other = new short[after.length]; // alloc: short[] x20
            try {
                float[] inside = new float[1]; // alloc: float[] x20
                check(n, 3);
                other[0] = (short) (inside.length + new float[2].length); // alloc: float[] x10
            } catch (IllegalArgumentException caught) {
                other[0] = (short) new double[1].length; // alloc: double[] x10
            }
        }
    }

    static final class Delegating extends Base {
        Delegating(int n) {
            this(new Object(), n, new boolean[1]); // alloc: java.lang.Object x50, boolean[] x50
            check(n, 3);
            field[1] = new boolean[2].length; // alloc: boolean[] x30
        }

        private Delegating(Object o, int n, boolean[] flags) {
            super(n, o);
            flags[n % 5 == 4 ? 0 : flags.length - 1] = true;
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            try {
                sum += new Derived(i).other[0]; // alloc: ThrowingConstructors$Derived x50
            } catch (IllegalArgumentException refused) {
                sum++;
            }
            try {
                sum += new Delegating(i).field.length; // alloc: ThrowingConstructors$Delegating x50
            } catch (IllegalArgumentException refused) {
                sum--;
            }
        }
        System.out.println("checksum " + sum);
    }
}
