import java.util.ArrayList;
import java.util.List;

/** Allocations on every shape of path; sites are numbered per method, in order. */
class Alloc {
    Object cache;

    static Object straight() {
        int[] a = new int[3];
        return new Object[] {a, new Object()};
    }

    static Object oneArm(boolean b) {
        Object o = null;
        if (b) o = new Object();
        return o;
    }

    static Object bothArms(boolean b) {
        Object o;
        if (b) o = new StringBuilder();
        else o = new Object();
        return o;
    }

    Object lazy() {
        if (cache == null) cache = new Object();
        return cache;
    }

    static Object guarded(Object o) {
        if (o == null) throw new NullPointerException("o");
        return new Object[] {o};
    }

    static List<int[]> loop(int n) {
        List<int[]> list = new ArrayList<>();
        for (int i = 0; i < n; i++) list.add(new int[i]);
        return list;
    }

    static int loopWithArms(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Object o = i % 2 == 0 ? new int[i] : new long[i];
            if (i == 77) break;
            sum += o.hashCode();
        }
        return sum;
    }

    static void forever() {
        while (true) new Object().hashCode();
    }

    static Object choose(int k) {
        switch (k) {
            case 1: return new int[1];
            case 2: return new int[2];
            case 3:
            case 4: break;
            default: throw new IllegalStateException();
        }
        return new Object();
    }

    static Object recover(Object o) {
        Object first = new Object();
        try {
            return o.toString();
        } catch (NullPointerException e) {
            return new Object[] {first, new Object()};
        }
    }

    Object locked() {
        Object before = new Object();
        synchronized (before) {
            cache = new Object();
        }
        return new Object[] {before};
    }

    static class Derived extends Alloc {
        final Object lock = new Object();

        Derived(Object o) {
            cache = new Object[] {o};
        }

        Derived(boolean b) {
            this(b ? new int[2] : null);
        }
    }
}
