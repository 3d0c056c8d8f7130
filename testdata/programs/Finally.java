// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** finally blocks, which javac copies to each way out, when nothing is thrown; try-with-resources; return out of both. */
class Finally {
    static final class Guard implements AutoCloseable {
        private final int level;

        Guard(int level) {
            this.level = level;
        }

        @Override
        public void close() {
            closed += new byte[level].length; // alloc: byte[] x60
        }
    }

    static int closed;

    static int threeExits(int n) {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            try {
                if (i == n % 5) {
                    continue;
                }
                sum += new int[i].length; // alloc: int[] x90
                if (i == n / 6) {
                    return sum;
                }
            } finally {
                sum += new long[1].length; // alloc: long[] x110
            }
        }
        return sum + new short[2].length; // alloc: short[] x10
    }

    /** The return of the finally block replaces the other. */
    @SuppressWarnings("finally")
    static int overruled(int n) {
        try {
            return new char[n].length; // alloc: char[] x30
        } finally {
            if (n % 3 == 0) {
                return new float[n].length * 2; // alloc: float[] x10
            }
        }
    }

    static int nested(int n) {
        int sum = 0;
        try (Guard outer = new Guard(n); Guard inner = new Guard(outer.level + 1)) { // alloc: Finally$Guard x60
            sum += inner.level;
            if (n % 2 == 0) {
                return sum + new double[n].length; // alloc: double[] x15
            }
            sum += new Object().hashCode() == 0 ? 0 : 1; // alloc: java.lang.Object x15
        } finally {
            closed += new boolean[2].length; // alloc: boolean[] x30
        }
        return sum;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int n = 0; n < 30; n++) {
            sum += threeExits(n) + overruled(n) + nested(n);
        }
        System.out.println("checksum " + sum + " " + closed);
    }
}
