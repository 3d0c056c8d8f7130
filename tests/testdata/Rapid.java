import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Makes objects until there were so many collections, and says how many times it made some, and how many collections
 * there were in a second. What a round keeps it keeps until the same one of the next hundred rounds.
 */
public class Rapid {
    static final class Fresh {
        int field;
    }

    static final class Kept {
        Object of = new Fresh();
    }

    static final int EACH = 20;
    static final Kept[] kept = new Kept[100];
    static volatile Object sink;

    public static void main(String[] args) {
        long until = Long.parseLong(args[0]), rounds = 0, start = System.nanoTime();
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        long before = count(collectors), now = before;
        while (now < before + until) {
            for (int i = 0; i < 100; i++) {
                round(i);
            }
            rounds += 100;
            now = count(collectors);
        }
        long milliseconds = Math.max(1, (System.nanoTime() - start) / 1_000_000);
        System.gc();
        System.out.println(rounds + " rounds, " + (now - before) * 1000 / milliseconds + " collections a second");
    }

    static long count(List<GarbageCollectorMXBean> collectors) {
        long all = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            all += Math.max(0, collector.getCollectionCount());
        }
        return all;
    }

    static void round(int i) {
        for (int k = 0; k < EACH; k++) {
            sink = new Fresh();
        }
        sink = new byte[8000];
        kept[i] = new Kept();
    }
}
