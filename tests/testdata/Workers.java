/**
 * Threads that make known numbers of objects at one site, which a static field keeps: main 10, workers 1000 and 2000 at
 * a time, and when these have ended, whose trees it may have, late 3000. At another site only late makes some.
 */
public class Workers {
    static final Object[][] kept = new Object[4][];

    static final class OfAll {
        long a;
    }

    static final class OfLate {
        long a;
    }

    static void make(int slot, int n) {
        Object[] made = new Object[n];
        for (int i = 0; i < n; i++) {
            made[i] = new OfAll();
        }
        kept[slot] = made;
    }

    static void makeOwn(int slot) {
        for (int i = 0; i < 500; i++) {
            kept[slot][i] = new OfLate();
        }
    }

    static Thread start(String name, Runnable run) {
        Thread t = new Thread(run, name);
        t.start();
        return t;
    }

    static void collect() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
    }

    public static void main(String[] args) throws Exception {
        make(0, 10);
        Thread one = start("one", () -> make(1, 1000)), two = start("two", () -> make(2, 2000));
        one.join();
        two.join();
        collect();
        start("late", () -> {
            make(3, 3500);
            makeOwn(3);
        }).join();
        collect();
    }
}
