// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Arrays of every element type, of constant and of computed length, and of several dimensions, partly specified too. */
class ArrayKinds {
    interface Marker {}

    static long constantLengths() {
        long sum = new boolean[1].length; // alloc: boolean[] x6
        sum += new byte[2].length; // alloc: byte[] x6
        sum += new char[3].length; // alloc: char[] x6
        sum += new short[4].length; // alloc: short[] x6
        sum += new int[5].length; // alloc: int[] x6
        sum += new long[200].length; // alloc: long[] x6
        sum += new float[40000].length; // alloc: float[] x6
        sum += new double[0].length; // alloc: double[] x6
        sum += new Object[8].length; // alloc: java.lang.Object[] x6
        sum += new Marker[9].length; // alloc: ArrayKinds$Marker[] x6
        sum += new int[10][].length; // alloc: int[][] x6
        sum += new Marker[11][][].length; // alloc: ArrayKinds$Marker[][][] x6
        return sum;
    }

    static long computedLengths(int n) {
        long sum = new boolean[n].length; // alloc: boolean[] x10
        sum += new byte[n + 1].length; // alloc: byte[] x10
        sum += new char[2 * n].length; // alloc: char[] x10
        sum += new short[n * n].length; // alloc: short[] x10
        sum += new int[n].length; // alloc: int[] x10
        sum += new long[n ^ 1].length; // alloc: long[] x10
        sum += new float[n << 1].length; // alloc: float[] x10
        sum += new double[n % 4].length; // alloc: double[] x10
        sum += new Object[n].length; // alloc: java.lang.Object[] x10
        sum += new Marker[n].length; // alloc: ArrayKinds$Marker[] x10
        sum += new double[n][].length; // alloc: double[][] x10
        return sum;
    }

    static long dimensions(int n) {
        long sum = new int[3][4].length; // alloc: int[][] x5, int[] x15
        sum += new int[n][n].length; // alloc: int[][] x5, int[] x10
        sum += new boolean[n][2][3].length; // alloc: boolean[][][] x5, boolean[][] x10, boolean[] x20
        sum += new double[2][n][].length; // alloc: double[][][] x5, double[][] x10
        sum += new Marker[2][3][n].length; // alloc: ArrayKinds$Marker[][][] x5, ArrayKinds$Marker[][] x10, ArrayKinds$Marker[] x30
        sum += new Object[n][0][7].length; // alloc: java.lang.Object[][][] x5, java.lang.Object[][] x10
        sum += new char[0][n][n].length; // alloc: char[][][] x5
        sum += new long[1][2][1][n][].length; // alloc: long[][][][][] x5, long[][][][] x5, long[][][] x10, long[][] x10
        return sum;
    }

    static final int[][] TABLE = {{1, 2, 3}, {}, {4}}; // alloc: int[][] x1, int[] x3

    static long initializers(int n) {
        long[][] triangle = {{n}, {n, n}, {n, n, n}}; // alloc: long[][] x4, long[] x12
        float[] mixed = {n, n > 1 ? new float[n].length : 0}; // alloc: float[] x6
        return triangle[2].length + mixed.length + TABLE[0].length;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 6; i++) {
            sum += constantLengths();
        }
        for (int i = 0; i < 10; i++) {
            sum += computedLengths(i);
        }
        for (int i = 0; i < 5; i++) {
            sum += dimensions(i);
        }
        for (int i = 0; i < 4; i++) {
            sum += initializers(i);
        }
        System.out.println("checksum " + sum);
    }
}
