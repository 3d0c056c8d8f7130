import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;

/** Control flow of every shape that javac makes: loops, switches, handlers, monitors, lambdas, patterns. */
public class Shapes {
    enum Colour { RED, GREEN, BLUE }

    interface Shape { double area(); }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("radius " + radius);
            }
        }

        public double area() { return Math.PI * radius * radius; }
    }

    static class Box implements Shape, AutoCloseable {
        final long[] sides;

        Box(int n) { this(n > 2 ? new long[] {n, n, n} : new long[] {n}); }

        private Box(long[] sides) { this.sides = sides; }

        public double area() {
            long product = 1;
            for (long side : sides) {
                product *= side;
            }
            return product;
        }

        public void close() { System.out.println("closed " + sides.length); }
    }

    private int calls;

    synchronized int locked(Object lock, int n) {
        synchronized (lock) {
            calls += n;
            if (n == 7) {
                throw new IllegalStateException("seven");
            }
            synchronized (this) {
                return calls;
            }
        }
    }

    static String dense(int n) {
        switch (n) {
            case 0: return "zero";
            case 1:
            case 2: return "few";
            case 3: n++;
            case 4: return "four " + n;
            default: return "many";
        }
    }

    static int sparse(int n) {
        switch (n) {
            case -1000: return 1;
            case 5: return 2;
            case 1 << 20: return 3;
            default: return n < 0 ? -4 : 4;
        }
    }

    static String named(String name) {
        return switch (name) {
            case "Aa", "BB" -> "same hash";
            case "x" -> {
                int sum = 0;
                outer:
                for (int i = 0; i < 10; i++) {
                    for (int j = 0; j < 10; j++) {
                        if (j == i) continue outer;
                        if (i * j > 20) break outer;
                        sum += i ^ j;
                    }
                }
                yield "sum " + sum;
            }
            default -> "none";
        };
    }

    static int finallies(int n) {
        int steps = 0;
        while (true) {
            try {
                steps++;
                if (n % 2 == 0) {
                    return steps / (n - 4);
                }
                n = Integer.parseInt("" + (n + steps));
                if (steps > 5) {
                    break;
                }
            } catch (ArithmeticException | NumberFormatException e) {
                steps += 100;
                return steps;
            } finally {
                if (steps == 3) {
                    n++;
                }
                steps += 10;
            }
        }
        return -steps;
    }

    static long mixed(int n) {
        long total = 0;
        double half = 0.5;
        float third = 1 / 3f;
        int[][] grid = new int[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                grid[i][j] = i * j;
                total += grid[i][j]++ + (long) (half * j) - (long) (third * i);
            }
        }
        do {
            total = total > 1000 ? total - 7 : total + 3;
        } while (total % 5 != 0 && total < 5000);
        return total;
    }

    static String describe(Object o) {
        if (o instanceof Integer i && i > 3) {
            return "int " + i;
        } else if (o instanceof String s) {
            return s.isEmpty() ? "empty" : s;
        }
        return o == null ? "null" : o.getClass().getSimpleName();
    }

    public static void main(String[] args) {
        Shapes shapes = new Shapes();
        for (int i = 0; i < 10; i++) {
            System.out.println(i + " " + dense(i) + " " + sparse(i) + " " + finallies(i) + " " + mixed(i));
            try {
                System.out.println(shapes.locked(args, i));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getLineNumber());
            }
        }
        System.out.println(sparse(-1000) + " " + sparse(1 << 20) + " " + sparse(-3));
        System.out.println(named("Aa") + named("BB") + named("x") + named("y"));
        System.out.println(describe(5) + describe(1) + describe("") + describe("s") + describe(null) + describe('c'));
        try (Box box = new Box(3); Box small = new Box(1)) {
            List<Shape> list = new ArrayList<>(List.of(box, small, new Circle(1.5)));
            list.removeIf(s -> s.area() < 2);
            list.forEach(s -> System.out.println(s.area()));
            list.add(new Circle(-1));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        IntBinaryOperator gcd = (a, b) -> {
            while (b != 0) {
                int t = a % b;
                a = b;
                b = t;
            }
            return a;
        };
        TreeMap<Colour, Integer> map = new TreeMap<>();
        for (Colour c : Colour.values()) {
            map.merge(c, gcd.applyAsInt(84, 30 + 6 * c.ordinal()), Integer::sum);
        }
        System.out.println(map);
    }
}
