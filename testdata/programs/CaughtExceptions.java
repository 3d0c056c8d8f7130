// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Exceptions that cross no path: the methods they leave, and the methods that catch them, allocate nothing else. */
class CaughtExceptions {
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int reason;

        Refused(int reason) {
            super("refused", null, false, false);
            this.reason = reason;
        }
    }

    static int check(int n) {
        if (n % 3 == 0) {
            throw new Refused(n); // alloc: CaughtExceptions$Refused x34
        }
        return n;
    }

    static int tryCheck(int n) {
        try {
            return check(n);
        } catch (Refused refused) {
            return -refused.reason;
        }
    }

    static int divide(int a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException byZero) {
            return 0;
        } finally {
            finished++;
        }
    }

    static int finished;

    /** Thrown and caught in one method: the allocation of the exception lies behind the last counter before the throw. */
    static int inside(int[] values, int index) {
        try {
            return values[index];
        } catch (ArrayIndexOutOfBoundsException outside) {
            return -1;
        }
    }

    static Object made(int n) {
        return n < 0 ? new int[-n] : new Object(); // alloc: int[] x33, java.lang.Object x67
    }

    public static void main(String[] args) {
        int sum = run(table());
        System.out.println("checksum " + sum + " " + finished);
    }

    static int[] table() {
        return new int[] {1, 2, 3}; // alloc: int[] x1
    }

    static int run(int[] table) {
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            int n = tryCheck(i);
            sum += n + divide(i, i % 2) + inside(table, i % 5);
            sum += made(n) instanceof int[] array ? array.length : 1;
        }
        return sum;
    }
}
