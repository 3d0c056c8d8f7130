// threads: single, crosses: no, min-jdk: 17, exit: 3, deterministic: yes

/** System.exit far from any point where counts agree: in loops of three frames, between two allocations. */
class ExitMidPath {
    static int outer(int limit) {
        int sum = 0;
        for (int i = 0; ; i++) {
            int[] before = new int[i]; // alloc: int[] x8
            sum += middle(i, limit) + before.length;
            sum += new long[i].length; // alloc: long[] x7
        }
    }

    static int middle(int n, int limit) {
        Object first = new Object(); // alloc: java.lang.Object x8
        int sum = 0;
        while (n > 0) {
            sum += new short[n].length; // alloc: short[] x22
            if (n == limit) {
                finish(sum);
            }
            sum += new char[n--].length; // alloc: char[] x21
        }
        return first == null ? 0 : sum + new byte[1].length; // alloc: byte[] x7
    }

    static void finish(int sum) {
        double[] last = {sum}; // alloc: double[] x1
        System.out.println("checksum " + last[0]);
        System.exit(3);
        System.out.println(new float[1].length); // never reached
    }

    public static void main(String[] args) {
        System.out.println(new StringBuilder().append(outer(7))); // alloc: java.lang.StringBuilder x1
    }
}
