/** Makes arrays of which those that are large, and have most of the bytes, are no copies, for some seconds. */
public class TooLarge {
    static int[] kept;
    static int made;

    static void some(int length) {
        int[] a = new int[length];
        if (length > 16) {
            a[length - 1] = ++made;
        }
        kept = a;
    }

    static void huge() {
        int[] a = new int[300_000];
        a[7] = ++made;
        kept = a;
    }

    public static void main(String[] args) {
        long half = Long.parseLong(args[0]) * 500_000_000L;
        for (long end = System.nanoTime() + half; System.nanoTime() < end;) {
            for (int i = 0; i < 100; i++) {
                some(16);
            }
            some(20_000);
        }
        for (long end = System.nanoTime() + half; System.nanoTime() < end;) {
            huge();
        }
    }
}
