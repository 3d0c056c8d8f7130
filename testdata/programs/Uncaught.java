// threads: single, crosses: no, min-jdk: 17, exit: 1, deterministic: yes

/** An exception leaves main: the JVM prints it and exits with 1. The frames it leaves have allocated nothing. */
class Uncaught {
    static int half(int n) {
        if (n % 2 != 0) {
            throw new IllegalArgumentException("odd"); // alloc: java.lang.IllegalArgumentException x1
        }
        return n / 2;
    }

    static int allocate(int n) {
        return new int[n].length; // alloc: int[] x3
    }

    public static void main(String[] args) {
        int n = 40;
        System.out.println("checksum " + n);
        while (n > 1) {
            n = allocate(half(n));
        }
    }
}
