import java.util.ArrayList;
import java.util.List;

/**
 * What class files are that {@code TestMalformedClasses} changes: most structures that javac makes of Java 7, so that
 * the class can stand for older versions too.
 */
@Deprecated
public class Seed implements Comparable<Seed> {
    static final int SIZE = 70000;
    static final long LONG = 1L << 40;
    static final double DOUBLE = 2.5;
    static final String NAME = "seed";

    interface Shape {
        int area(int scale) throws IllegalStateException;
    }

    static class Square implements Shape {
        private final int side;
        private int[] cells = new int[4];

        Square(int side) {
            this.side = side;
        }

        public int area(int scale) {
            return new Seed(side).add(cells.length) * scale;
        }
    }

    private int value;
    @Deprecated private Object last;

    public Seed(int value) {
        this(value, new long[value & 7]);
    }

    private Seed(int value, long[] more) {
        super();
        this.value = value + more.length;
    }

    int add(int n) {
        last = new Object();
        value += n;
        return value;
    }

    @Override
    public int compareTo(Seed other) {
        return value < other.value ? -1 : value > other.value ? 1 : 0;
    }

    static int branches(int n) {
        List<Object> made = new ArrayList<Object>();
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) {
                made.add(new int[i]);
            } else if (i % 3 == 1) {
                made.add(new String[2][3]);
            } else {
                made.add(Integer.valueOf(i * 1000));
            }
        }
        return made.size();
    }

    static String choose(int n) {
        switch (n) {
            case 0: return new String("zero");
            case 1: return "one";
            case 2: return new StringBuilder().append(n).append(LONG).append(DOUBLE * n).toString();
            case 1000: return String.valueOf(new char[] {'a', 'b'});
            default: return NAME;
        }
    }

    static int caught(Object o) {
        int n = 0;
        try {
            n = 1;
            String s = (String) o;
            n = s.length();
        } catch (ClassCastException e) {
            n = new int[] {3, 4}[1];
        } catch (NullPointerException e) {
            n = -1;
        } finally {
            n += 100;
        }
        return n;
    }

    static synchronized long locked(Object lock, long a, double b) {
        synchronized (lock) {
            Object[] all = new Object[3];
            all[1] = new byte[(int) a];
            return a * all.length + (long) b;
        }
    }

    /** What the driver calls. */
    public static String run() {
        Shape[] shapes = {new Square(2), new Square(3), new Shape() {
            @Override
            public int area(int scale) {
                return scale + new short[scale].length;
            }
        }};
        int sum = 0;
        for (Shape s : shapes) {
            sum += s.area(5);
        }
        String text = choose(0) + choose(1) + choose(2) + choose(1000) + choose(SIZE);
        return sum + text + branches(10) + caught("four") + caught(sum) + caught(null)
            + locked(text, 9, 3.5) + new Seed(1).compareTo(new Seed(2));
    }
}
