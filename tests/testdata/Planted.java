import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes objects of which it knows how many are copies. Each method makes one kind, with a share of copies: the contents
 * of copies are the same, those of all others differ. Arguments: threads, objects of each kind and thread, whether
 * copies come in a row ("runs") or are spread ("shuffled").
 */
public class Planted {
    static class Fields {
        byte b = 1;
        int i;
        long l = 1L << 40;
        double d = 0.5;
        char c = 'c';
        Object o = SHARED;
        boolean z = true;

        Fields(int i) {
            this.i = i;
        }
    }

    static class Inherits extends Fields {
        short s;

        Inherits(int i) {
            super(1);
            s = 3;
            l = i;
        }
    }

    static class Refers {
        final Object to;

        Refers(Object to) {
            this.to = to;
        }
    }

    static class Mutated {
        int early = 7;
        long late;
    }

    static class Kept {
        final long a = 1, b = 2;
        final int i;

        Kept(int i) {
            this.i = i;
        }
    }

    interface Kind {
        Object make(int value);
    }

    static final int COPY = -1;
    static final Object SHARED = new Object();
    static final Object[] TARGETS = new Object[10];
    static final List<Object> kept = new ArrayList<>();
    static Object[] sinks;

    static Object fields0(int v) {
        return new Fields(v);
    }

    static Object fields50(int v) {
        return new Fields(v);
    }

    static Object fields65(int v) {
        return new Fields(v);
    }

    static Object fields90(int v) {
        return new Fields(v);
    }

    static Object fields100(int v) {
        return new Fields(v);
    }

    static Object inherits65(int v) {
        return new Inherits(v);
    }

    static Object ints0(int v) {
        return new int[] {v, 2, 3};
    }

    static Object ints65(int v) {
        return new int[] {v, 2, 3};
    }

    static Object ints100(int v) {
        return new int[] {v, 2, 3};
    }

    /** One of fifty elements is different, and in the last one of odd length. */
    static Object element90(int v) {
        byte[] b = new byte[203];
        if (v != COPY)
            for (int k = 0; k < 4; k++) b[202 - k] = (byte) (v >> 8 * k);
        return b;
    }

    /** Of as many different lengths as it takes. */
    static Object lengths50(int v) {
        return new byte[v == COPY ? 1 : 2 + v % 1000];
    }

    /** All are equal when they have been constructed; then those that are no copies change. */
    static Object mutated50(int v) {
        Mutated m = new Mutated();
        if (v != COPY) m.late = v + 1;
        return m;
    }

    /** Ten old objects, which move, are what all refer to that are copies. */
    static Object refers90(int v) {
        return new Refers(v == COPY ? TARGETS[0] : new Object());
    }

    static Object elements65(int v) {
        return new Object[] {SHARED, v == COPY ? null : new Object()};
    }

    /** Strings with arrays of their own: only deep they are copies. Some know their hash. */
    static Object strings90(int v) {
        String s = new String(new char[] {'a', (char) (v & 0xff), (char) (v >> 8 & 0xff)});
        if ((v & 1) == 0 || v == COPY && System.nanoTime() % 2 == 0) s.hashCode();
        return s;
    }

    /** Those live as long as the program. */
    static Object keeps90(int v) {
        Kept k = new Kept(v);
        synchronized (kept) {
            kept.add(k);
        }
        return k;
    }

    record Plan(String name, int percent, Kind kind) {
        /** The same where contents are. */
        int key(int v) {
            return !name.startsWith("lengths") ? v : v == COPY ? 1 : 2 + v % 1000;
        }
    }

    static final Plan[] PLANS = {
        new Plan("fields0", 0, Planted::fields0), new Plan("fields50", 50, Planted::fields50),
        new Plan("fields65", 65, Planted::fields65), new Plan("fields90", 90, Planted::fields90),
        new Plan("fields100", 100, Planted::fields100), new Plan("inherits65", 65, Planted::inherits65),
        new Plan("ints0", 0, Planted::ints0), new Plan("ints65", 65, Planted::ints65),
        new Plan("ints100", 100, Planted::ints100), new Plan("element90", 90, Planted::element90),
        new Plan("lengths50", 50, Planted::lengths50), new Plan("mutated50", 50, Planted::mutated50),
        new Plan("refers90", 90, Planted::refers90), new Plan("elements65", 65, Planted::elements65),
        new Plan("strings90", 90, Planted::strings90), new Plan("keeps90", 90, Planted::keeps90)};

    /** What the k-th object of a plan is made of. */
    static int value(Plan p, int thread, int n, int k, boolean shuffled) {
        int place = shuffled ? (int) (k * 7919L % n) : k;
        return place < (long) n * p.percent / 100 ? COPY : thread * n + k;
    }

    static void run(int thread, int n, boolean shuffled) {
        for (int k = 0; k < n; k++) {
            for (Plan p : PLANS) {
                sinks[thread] = p.kind.make(value(p, thread, n, k, shuffled));
                sinks[thread] = new long[50]; // so that there are collections
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = Integer.parseInt(args[0]), n = Integer.parseInt(args[1]);
        boolean shuffled = args[2].equals("shuffled");
        sinks = new Object[threads];
        for (int i = 0; i < TARGETS.length; i++) TARGETS[i] = new Object();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            all.add(new Thread(() -> run(thread, n, shuffled)));
        }
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
        for (Plan p : PLANS) {
            Map<Integer, Integer> groups = new HashMap<>();
            for (int t = 0; t < threads; t++)
                for (int k = 0; k < n; k++) groups.merge(p.key(value(p, t, n, k, shuffled)), 1, Integer::sum);
            System.out.println(p.name + " " + threads * n + " " + groups.size() + " " + Collections.max(groups.values()));
        }
    }
}
