import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * Makes objects in rounds, each behind a collection, and keeps those of a class for as many collections as its name
 * says: "young" ends a round when the young generation has been collected, "full" by System.gc().
 */
public class Lifetimes {
    static class Lives0 {
    }

    static class Lives1 {
        int a;
    }

    static class Lives2 {
        long a;
    }

    static class Lives5 {
        long a, b;
    }

    /** Half of them are dead at once, the others live for four collections. */
    static class Lives0Or4 {
        long a, b, c;
    }

    static final int EACH = 2000;
    static final Object[][] ONE = new Object[1][], TWO = new Object[2][], FOUR = new Object[4][], FIVE = new Object[5][];
    static volatile Object sink;

    static long collections() {
        long all = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            all += Math.max(0, collector.getCollectionCount());
        }
        return all;
    }

    static void collect(boolean full) {
        if (full) {
            System.gc();
            return;
        }
        for (long before = collections(); collections() == before;) {
            sink = new byte[100_000];
        }
        sink = null;
    }

    static void make(int round) {
        Object[] one = ONE[0] = new Object[EACH];
        Object[] two = TWO[round % 2] = new Object[EACH];
        Object[] four = FOUR[round % 4] = new Object[EACH];
        Object[] five = FIVE[round % 5] = new Object[EACH];
        for (int i = 0; i < EACH; i++) {
            sink = new Lives0();
            one[i] = new Lives1();
            two[i] = new Lives2();
            five[i] = new Lives5();
            sink = new Lives0Or4();
            if (i % 2 == 0) {
                four[i] = sink;
            }
        }
        sink = null;
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[1]);
        int disturbed = 0;
        for (int round = 0; round < rounds; round++) {
            collect(args[0].equals("full"));
            long before = collections();
            make(round);
            if (collections() != before) {
                disturbed++;
            }
        }
        System.out.println(disturbed + " rounds were disturbed");
    }
}
