// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Allocation in every shape of loop. */
class Loops {
    static final class Cell {
        final int value;

        Cell(int value) {
            this.value = value;
        }
    }

    static int simple(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += new Cell(i).value; // alloc: Loops$Cell x100
        }
        return sum;
    }

    static int nested(int rows, int columns) {
        int sum = 0;
        for (int i = 0; i < rows; i++) {
            int[] row = new int[columns]; // alloc: int[] x20
            for (int j = 0; j < columns; j++) {
                Cell cell = new Cell(i * j); // alloc: Loops$Cell x300
                row[j] = cell.value;
                if ((j & 1) == 0) {
                    sum += new long[] {cell.value, row[j]}.length; // alloc: long[] x160
                }
            }
            sum += row[columns - 1];
        }
        return sum;
    }

    static int oncePerDoWhile(int times) {
        int sum = 0;
        do {
            sum += new short[7].length; // alloc: short[] x13
        } while (--times > 0);
        return sum;
    }

    /** A body that runs once although its condition never holds. */
    static int doWhileFalse() {
        int sum = 0;
        do {
            sum += new short[3].length; // alloc: short[] x1
        } while (sum < 0);
        return sum;
    }

    static int withBreakAndContinue(int limit) {
        int sum = 0;
        for (int i = 0; ; i++) {
            if (i % 3 == 0) {
                continue;
            }
            Object marker = new Object(); // alloc: java.lang.Object x67
            if (i > limit) {
                break;
            }
            sum += marker.hashCode() == 0 ? 1 : new Cell(i).value; // alloc: Loops$Cell x66
        }
        return sum;
    }

    static int labelled() {
        int sum = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                Cell cell = new Cell(j); // alloc: Loops$Cell x55
                if (j == i) {
                    continue outer;
                }
                sum += cell.value;
            }
            sum += new Cell(-1).value; // never reached
        }
        return sum;
    }

    /** Two back edges to one header, one of which allocates. */
    static int collatz(int n) {
        int steps = 0;
        while (n != 1) {
            if (n % 2 == 0) {
                n /= 2;
                continue;
            }
            n = 3 * n + 1;
            steps += new Cell(n).value > 0 ? 1 : 0; // alloc: Loops$Cell x41
        }
        return steps;
    }

    public static void main(String[] args) {
        int sum = simple(100) + nested(20, 15) + oncePerDoWhile(13) + doWhileFalse();
        sum += withBreakAndContinue(99) + labelled() + collatz(27);
        System.out.println("checksum " + sum);
    }
}
