// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Many arrays at one site, and such long ones that all elements are more than 2 to the 32. */
class ManyArrays {
    static Object kept;

    /** Every length modulo the alignment, empty arrays included, and objects that are counted with the arrays. */
    static void many(int n) {
        for (int i = 0; i < n; i++) {
            kept = new byte[i % 19]; // alloc: byte[] x10000
            kept = new ManyArrays(); // alloc: ManyArrays x10000
            if ((i & 7) == 3) {
                kept = new Object(); // alloc: java.lang.Object x1250
            }
            kept = new char[i % 13]; // alloc: char[] x10000
            kept = new int[i % 7]; // alloc: int[] x10000
            kept = new long[i % 5]; // alloc: long[] x10000
            kept = new String[i % 9]; // alloc: java.lang.String[] x10000
        }
    }

    /** More than 2 to the 32 elements. */
    static void large(int n) {
        for (int i = 0; i < n; i++) {
            kept = new byte[(4 << 20) + i]; // alloc: byte[] x1100
        }
        kept = null;
    }

    public static void main(String[] args) {
        many(10_000);
        int length = ((Object[]) kept).length;
        large(1_100);
        System.out.println("checksum " + length);
    }
}
