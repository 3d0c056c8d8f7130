import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * In each round it makes objects, which a young collection promotes where nothing stays young (MaxTenuringThreshold=0).
 * Then it drops those that were promoted in vain, and a full collection looks at all. Others are dropped behind that,
 * or never; those of the end no collection looks at any more.
 */
public class Promoted {
    static class Vain {
        long a;
    }

    static class Later {
        long a, b;
    }

    static class Kept {
        long a, b, c;
    }

    static class AtTheEnd {
        long a, b, c, d;
    }

    static class Young {
        long a, b, c, d, e;
    }

    static final int EACH = 3000;
    static Object[] vain, later, atTheEnd;
    static Object[][] kept;
    static volatile Object sink;

    static long collections() {
        long all = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            all += Math.max(0, collector.getCollectionCount());
        }
        return all;
    }

    static void promote() {
        for (long before = collections(); collections() == before;) {
            sink = new byte[50_000];
        }
        sink = null;
    }

    static void make(int round) {
        vain = new Object[EACH];
        later = new Object[EACH / 2];
        kept[round] = new Object[EACH / 3];
        for (int i = 0; i < EACH; i++) {
            vain[i] = i % 2 == 0 ? even() : odd();
            if (i % 2 == 0) {
                later[i / 2] = new Later();
            }
            if (i % 3 == 0) {
                kept[round][i / 3] = new Kept();
            }
            sink = new Young();
        }
        sink = null;
    }

    static Object even() {
        return new Vain();
    }

    static Object odd() {
        return new Vain();
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        kept = new Object[rounds][];
        for (int round = 0; round < rounds; round++) {
            make(round);
            promote();
            vain = null;
            System.gc();
            later = null;
            System.gc();
        }
        atTheEnd = new Object[EACH];
        for (int i = 0; i < EACH; i++) {
            atTheEnd[i] = new AtTheEnd();
        }
        promote();
        System.out.println(atTheEnd.length + " at the end");
    }
}
