import java.util.ArrayDeque;

/**
 * Makes garbage for some milliseconds, and entries that stay: as many as time has passed, or up to a limit, from where
 * on the oldest has to go for each. In between come full collections.
 */
public class Leak {
    static class Entry {
        final byte[] held = new byte[100];
    }

    static volatile Object sink;

    public static void main(String[] args) {
        long milliseconds = Long.parseLong(args[0]), limit = Long.parseLong(args[1]), full = Long.parseLong(args[2]);
        ArrayDeque<Entry> entries = new ArrayDeque<>(1 << 20);
        long start = System.nanoTime(), made = 0, collected = 0;
        while (true) {
            long now = (System.nanoTime() - start) / 1_000_000;
            if (now >= milliseconds) {
                break;
            }
            for (; made < 20 * now; made++) {
                if (entries.size() >= limit) {
                    entries.removeFirst();
                }
                entries.addLast(new Entry());
            }
            if (collected < full * now / milliseconds) {
                collected++;
                System.gc();
            }
            sink = new byte[1000];
        }
        System.out.println(entries.size());
    }
}
