import java.util.function.Supplier;

/** Every shape of control flow that javac makes. */
class Flow {
    Object field;

    static Object either(boolean b) {
        Object o = null;
        if (b) o = new Object();
        return o;
    }

    static int loops(int[] a, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < a.length; j++) {
                if (a[j] < 0) continue;
                sum += a[j];
            }
            if (sum > 100) break;
        }
        do { sum--; } while (sum > 50);
        return sum;
    }

    static void forever(Runnable r) {
        while (true) r.run();
    }

    static int choose(int k) {
        switch (k) {
            case 1: case 2: return 10;
            case 3: throw new IllegalArgumentException();
            case 5: k++;
            case 7: return k;
            default: return 0;
        }
    }

    static int sparse(int k) {
        switch (k) {
            case 1: return 1;
            case 1000: return 2;
        }
        return 3;
    }

    static Object orThrow(Object o) {
        if (o == null) throw new NullPointerException("o");
        return o;
    }

    static int caught(Supplier<Integer> s) {
        for (int i = 0; ; i++) {
            try {
                return s.get();
            } catch (IllegalStateException e) {
                if (i == 3) throw e;
            } finally {
                s.get();
            }
        }
    }

    Object locked(Object lock) {
        Object before = new Object();
        synchronized (lock) {
            if (field == null) field = before;
            return field;
        }
    }

    static class Base {
        final Object a, b;

        Base(Object a) {
            this.a = a;
            this.b = new Base(a, null);
        }

        Base(Object a, Object b) {
            super();
            this.a = new Object();
            this.b = b;
        }
    }

    static class Derived extends Base {
        Derived(boolean x) {
            super(x ? new Object() : new Base(null));
        }

        Derived() {
            this(new Derived(true) == null);
        }
    }
}
