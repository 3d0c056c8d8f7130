// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Methods that call themselves and each other between their allocations. */
class Recursion {
    record Node(Node left, Node right) {
        static Node tree(int depth) {
            if (depth == 0) {
                return null;
            }
            return new Node(tree(depth - 1), tree(depth - 1)); // alloc: Recursion$Node x1023
        }

        int count() {
            return 1 + (left == null ? 0 : left.count()) + (right == null ? 0 : right.count());
        }
    }

    static long fibonacci(int n) {
        Object before = new Object(); // alloc: java.lang.Object x1973
        long result = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
        long[] after = {result}; // alloc: long[] x1973
        return before == null ? 0 : after[0];
    }

    static boolean even(int n) {
        return n == 0 || odd(n - new int[1].length); // alloc: int[] x50
    }

    static boolean odd(int n) {
        return n != 0 && even(n - new char[1].length); // alloc: char[] x50
    }

    /** The recursive call stands in a loop, between two allocations. */
    static int permutations(int[] chosen, int used, int length) {
        if (length == chosen.length) {
            return new float[chosen.length].length; // alloc: float[] x120
        }
        int sum = 0;
        for (int i = 0; i < chosen.length; i++) {
            if ((used & 1 << i) == 0) {
                short[] mark = {(short) i}; // alloc: short[] x325
                chosen[length] = mark[0];
                sum += permutations(chosen, used | 1 << i, length + 1);
                sum += new double[1].length; // alloc: double[] x325
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        long sum = Node.tree(10).count() + fibonacci(15) + (even(100) ? 1 : 0);
        sum += permutations(new int[5], 0, 0); // alloc: int[] x1
        System.out.println("checksum " + sum);
    }
}
