/**
 * Recursions that end with a StackOverflowError, at a depth that differs from run to run. Each counts what it makes, and main prints how much of
 * each class that is.
 */
class Overflow {
    static int bytes;
    static int shorts;
    static int objects;
    static int sink;

    static int fall(int n) {
        byte[] before = new byte[1];
        bytes++;
        int below = fall(n + 1);
        short[] after = new short[1];
        shorts++;
        return below + before.length + after.length;
    }

    static int caughtInEach(int n) {
        Object before = new Object();
        objects++;
        try {
            if (n > 200) {
                fall(0);
            }
            return caughtInEach(n + 1);
        } catch (StackOverflowError overflow) {
            short[] after = new short[1];
            shorts++;
            if (n % 2 == 0) {
                throw overflow;
            }
            return before.hashCode() % 2 + after.length;
        }
    }

    /** Counts: the class loader has found the runtime class before any stack is full. */
    static int early() {
        return new Object[1].length;
    }

    public static void main(String[] args) {
        sink += early();
        for (int i = 0; i < 20; i++) {
            try {
                sink += fall(0);
            } catch (StackOverflowError overflow) {
                sink++;
            }
            try {
                sink += caughtInEach(0);
            } catch (StackOverflowError overflow) {
                sink++;
            }
        }
        System.out.println("byte[] " + bytes);
        System.out.println("short[] " + shorts);
        System.out.println("java.lang.Object " + objects);
    }
}
