// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Allocation in, around and between synchronized blocks and methods. */
class Monitors {
    private final Object lock = new Object(); // alloc: java.lang.Object x1
    private int[] current = new int[1]; // alloc: int[] x1

    synchronized int method(int n) {
        current = new int[n]; // alloc: int[] x20
        return current.length;
    }

    int block(int n) {
        long[] before = {n}; // alloc: long[] x20
        synchronized (lock) {
            short[] inside = {(short) n}; // alloc: short[] x20
            if (n % 4 == 0) {
                return inside[0];
            }
            before[0] += inside[0];
        }
        char[] after = new char[n]; // alloc: char[] x15
        return (int) before[0] + after.length;
    }

    int nested(int n) {
        int sum = 0;
        synchronized (new Object()) { // alloc: java.lang.Object x20
            for (int i = 0; i < n; i++) {
                synchronized (lock) {
                    sum += new byte[i].length; // alloc: byte[] x184
                    if (i == 15) {
                        break;
                    }
                }
                sum += new float[1].length; // alloc: float[] x180
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        Monitors monitors = new Monitors(); // alloc: Monitors x1
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += monitors.method(i) + monitors.block(i) + monitors.nested(i);
        }
        System.out.println("checksum " + sum);
    }
}
