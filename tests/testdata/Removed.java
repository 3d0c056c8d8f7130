import java.util.ArrayList;
import java.util.List;

/** Makes points that a compiler need not make, since nobody else sees them, and some that it has to. */
public class Removed {
    static class Point {
        final int x, y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        Point plus(Point other) {
            return new Point(x + other.x, y + other.y);
        }
    }

    static class Seen {
        Object next;
    }

    static final List<Object> kept = new ArrayList<>();
    static volatile Object sink;

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += distance(i);
            if (i % 100 == 0) {
                Seen seen = new Seen();
                if (i % 1000 == 0) {
                    kept.add(seen);
                }
                sink = seen;
                sink = new byte[1024];
            }
        }
        System.out.println(sum);
    }

    static int distance(int i) {
        Point p = new Point(i, 3).plus(new Point(1, i));
        return p.x + p.y;
    }
}
