/**
 * Makes objects and reads them, each kind in a method of its own; three quarters of each have contents that are known,
 * the others differ. One kind changes while it is read. Argument: seconds.
 */
public class Known {
    enum Day {
        MONDAY
    }

    static class Base {
        final short months;

        Base(short months) {
            this.months = months;
        }
    }

    static final class Every extends Base {
        static int unseen = 5;
        final boolean open = true;
        final byte small = -7;
        final char sign = '\n';
        final int number;
        final long far = Long.MIN_VALUE;
        final float rate = 2.5f;
        final double exact = -0.125;
        final String owner = secret;
        final Integer box = boxed;
        final Object nothing = null;
        final Class<?> type = int[].class;
        final Day day = Day.MONDAY;
        final Known other = ONE;
        final int[] few = FEW;

        Every(int number) {
            super((short) 12);
            this.number = number;
        }
    }

    /** Makes objects larger, so that they are sampled as often as others. */
    static class Large {
        long a, b, c, d;
    }

    static final class Changing extends Large {
        volatile String text = "one";
        volatile Object[] more = null;
        int number = 3;
    }

    static final class Two extends Large {
        final int number;

        Two(int number) {
            this.number = number;
        }
    }

    static final int COPY = -1;
    static final Known ONE = new Known();
    static final int[] FEW = {1, 2};
    static String secret, wide;
    static Integer boxed;
    static volatile Changing last = new Changing();
    static volatile boolean ended;

    static final class Maker {
        Every every(int v) {
            return new Every(v);
        }

        long[] longs(int v) {
            long[] a = new long[100];
            a[0] = v;
            a[1] = Long.MAX_VALUE;
            return a;
        }

        char[] chars(int v) {
            char[] c = new char[secret.length()];
            secret.getChars(0, c.length, c, 0);
            if (v != COPY) {
                c[0] = (char) v;
            }
            return c;
        }

        Object[] objects(int v) {
            return new Object[] {v == COPY ? Known.class : Integer.valueOf(v + 1000), secret, null, boxed, FEW, wide,
                Day.MONDAY, int.class};
        }

        boolean[] flags(int v) {
            boolean[] a = new boolean[33];
            a[1] = true;
            if (v != COPY) {
                a[2 + v % 31] = true;
            }
            return a;
        }

        /** Seven of eight are 4, or 5. */
        Two ranked(int v) {
            return new Two(v == COPY ? 4 : v % 8 == 0 ? v : 5);
        }

        Changing changing() {
            return new Changing();
        }
    }

    static final class Reader {
        long read(Every e) {
            return e.number + e.far;
        }

        long read(Two t) {
            return t.number;
        }

        long read(long[] a) {
            long sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i];
            }
            return sum;
        }

        long read(char[] a) {
            long sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i];
            }
            return sum;
        }

        long read(Object[] a) {
            return (a[0] == a[1] ? 1 : 0) + (a[2] == null ? 1 : 0);
        }

        long read(boolean[] a) {
            long sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i] ? 1 : 0;
            }
            return sum;
        }

        long read(Changing c) {
            last = c;
            return c.number;
        }
    }

    private final Maker maker = new Maker();
    private final Reader reader = new Reader();
    private int made;
    private long sink;

    private void round() {
        for (int i = 0; i < 200; i++, made++) {
            int v = made % 4 == 0 ? made & 0xffff : COPY;
            sink += reader.read(maker.every(v)) + reader.read(maker.chars(v));
            if (made % 8 == 0) { // they are large enough
                sink += reader.read(maker.longs(made % 32 == 0 ? made & 0xffff : COPY));
            }
            sink += reader.read(maker.objects(v)) + reader.read(maker.flags(v)) + reader.read(maker.ranked(v));
            sink += reader.read(maker.changing());
        }
    }

    private static void change() {
        Object[] more = {"two", null};
        while (!ended) {
            Changing c = last;
            c.text = c.text == null ? "one" : null;
            c.more = c.more == null ? more : null;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        secret = new StringBuilder("terceS").reverse().append("-Text \u001b[31m").toString();
        wide = secret.substring(0, 6) + "\u20ac\u202e";
        boxed = 4711;
        Thread thread = new Thread(Known::change);
        thread.start();
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Known known = new Known();
        while (System.nanoTime() < end) {
            known.round();
        }
        ended = true;
        thread.join();
        if (known.sink == 42) {
            System.out.println(known.sink);
        }
    }
}
