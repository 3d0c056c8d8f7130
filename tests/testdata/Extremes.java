/** Makes deep recursions, many contexts and many threads, each of which allocates: Extremes DEPTH BITS THREADS. */
public class Extremes {
    static volatile int[] sink;

    static void down(int depth) {
        if (depth > 0) {
            down(depth - 1);
        } else {
            sink = new int[3];
        }
    }

    /** One context for each number of that many bits. */
    static void spread(int bits, int number) {
        if (bits == 0) {
            sink = new int[number & 7];
        } else if ((number & 1) == 0) {
            spread(bits - 1, number >> 1);
        } else {
            spread(bits - 1, number >> 1);
        }
    }

    static void work() {
        sink = new int[9];
    }

    public static void main(String[] args) throws InterruptedException {
        int depth = Integer.parseInt(args[0]);
        int bits = Integer.parseInt(args[1]);
        int threads = Integer.parseInt(args[2]);
        Thread deep = new Thread(null, () -> {
            down(depth);
            down(depth);
        }, "deep", 1 << 30);
        deep.start();
        deep.join();
        for (int number = 0; number < 1 << bits; number++) {
            spread(bits, number);
        }
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(Extremes::work);
            t.start();
            t.join();
        }
        System.out.println("done");
    }
}
