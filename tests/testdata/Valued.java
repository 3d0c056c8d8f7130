import java.util.ArrayList;
import java.util.List;

/** Makes copies whose contents are known, each kind in a method of its own, all of them three quarters of the objects. */
public class Valued {
    static class Account {
        final String owner;
        final Integer number;
        final Object nothing = null;
        final Valued self;
        boolean open = true;
        char sign = '\n';
        float rate = 2.5f;

        Account(String owner, Integer number, Valued self) {
            this.owner = owner;
            this.number = number;
            this.self = self;
        }
    }

    static final class Savings extends Account {
        final long[] months;

        Savings(String owner, Integer number, long[] months) {
            super(owner, number, null);
            this.months = months;
        }
    }

    static final int COPY = -1;
    static final Valued ONE = new Valued();
    static final long[] MONTHS = {12, 13, -14};
    static String owner, wide;
    static Integer number;
    static Object sink;

    static Object accounts(int v) {
        return new Account(owner, v == COPY ? number : Integer.valueOf(v), ONE);
    }

    static Object savings(int v) {
        return new Savings(wide, v == COPY ? number : Integer.valueOf(v), MONTHS);
    }

    static Object longs(int v) {
        long[] a = new long[100];
        a[0] = v;
        a[1] = Long.MIN_VALUE;
        return a;
    }

    static Object chars(int v) {
        char[] c = new char[owner.length()];
        owner.getChars(0, c.length, c, 0);
        if (v != COPY) c[0] = (char) v;
        return c;
    }

    static Object objects(int v) {
        return new Object[] {v == COPY ? Valued.class : Integer.valueOf(v), owner, null, number, MONTHS};
    }

    static Object boxes(int v) {
        return new Double(v);
    }

    static Object texts(int v) {
        return v == COPY ? new String(owner) : new String(new char[] {(char) v, 'x'});
    }

    public static void main(String[] args) {
        owner = new StringBuilder("terceS").reverse().append("-Text \u001b[31m").toString();
        wide = owner.substring(0, 6) + "\u20ac\u202e";
        number = 4711;
        for (int i = 0; i < 4000; i++) {
            int v = i % 4 == 0 ? i : COPY;
            sink = accounts(v);
            sink = savings(v);
            sink = longs(v);
            sink = chars(v);
            sink = objects(v);
            sink = boxes(v);
            sink = texts(v);
        }
    }
}
