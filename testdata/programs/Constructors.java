// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.function.IntFunction;

/** Constructors that allocate before, inside the arguments of, and after super() and this(); factories and builders. */
class Constructors {
    static class Base {
        final int[] data = new int[2]; // alloc: int[] x143
        final Object extra;

        {
            data[1] = new byte[3].length; // alloc: byte[] x143
        }

        Base(Object extra) {
            this.extra = extra;
        }

        Base() {
            this(new Object()); // alloc: java.lang.Object x10
        }
    }

    static class Middle extends Base {
        final long[] more;

        Middle(int n) {
            super(n % 2 == 0 ? new StringBuilder() : new Object()); // alloc: java.lang.StringBuilder x75, java.lang.Object x25
            more = n > 50 ? new long[n] : null; // alloc: long[] x24
        }
    }

    static final class Leaf extends Middle {
        final Base partner;

        Leaf(int n) {
            this(n, n % 5 == 0 ? new Base() : null); // alloc: Constructors$Base x10
        }

        private Leaf(int n, Base partner) {
            super(n + new short[1].length); // alloc: short[] x50
            this.partner = partner;
        }
    }

    static final class Builder {
        private int size = 1;
        private Base base;

        Builder size(int size) {
            this.size = size;
            return this;
        }

        Builder base() {
            base = new Base("named"); // alloc: Constructors$Base x31
            return this;
        }

        int[] build() {
            return base == null ? null : new int[size]; // alloc: int[] x31
        }

        static Builder create() {
            return new Builder(); // alloc: Constructors$Builder x31
        }
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 50; i++) {
            Middle middle = new Middle(2 * i); // alloc: Constructors$Middle x50
            sum += middle.data[1] + (middle.more == null ? 0 : middle.more.length);
        }
        for (int i = 0; i < 50; i++) {
            Leaf leaf = new Leaf(i); // alloc: Constructors$Leaf x50
            sum += leaf.extra instanceof StringBuilder ? 1 : 2;
            sum += leaf.partner == null ? 0 : leaf.partner.data.length;
        }
        for (int i = 0; i < 31; i++) {
            sum += Builder.create().size(i).base().build().length;
        }
        IntFunction<Object> factory = Integer::toString;
        sum += factory.apply(7).hashCode();
        // A constructor whose arguments allocate objects of its own class before it runs.
        Base nested = new Base(new Base(null)); // alloc: Constructors$Base x2
        sum += nested.extra == null ? 0 : 1;
        System.out.println("checksum " + sum);
    }
}
