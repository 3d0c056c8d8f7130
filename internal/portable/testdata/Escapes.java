import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Whatever leaves an invocation, and whoever catches it: the next task of the pool is called by nobody that counts. */
class Escapes {
    static class Marker {}

    static class Outer extends ArrayList<Object> {
        Outer() {
            super(-1); // the JDK throws
        }
    }

    static class Inner extends Outer {}

    static class Base {
        Base() {
            new Marker();
            deep(3);
        }
    }

    static class Derived extends Base {
        Derived() {
            super(); // counts, and throws
        }
    }

    /** Its superclass calls back. */
    static class Copy extends ArrayList<Object> {
        Copy(Collection<?> from) {
            super(from);
            new Marker();
        }
    }

    static class Source extends ArrayList<Object> {
        @Override
        public Object[] toArray() {
            new Marker();
            return new Object[0];
        }
    }

    static int deep(int n) {
        if (n == 0) {
            throw new IllegalStateException();
        }
        return deep(n - 1);
    }

    static int endless(int n) {
        return endless(n + 1) + 1;
    }

    static Object mark() {
        return new Marker();
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Callable<?>[] tasks = {
            () -> deep(5), Outer::new, Inner::new, Derived::new, () -> endless(0), () -> new Copy(new Source())
        };
        for (Callable<?> task : tasks) {
            try {
                pool.submit(task).get();
            } catch (Exception e) {
                // as it should be
            }
            pool.submit(Escapes::mark).get();
        }
        for (Callable<?> task : List.<Callable<?>>of(Derived::new, Base::new)) { // which is not called by Derived then
            try {
                pool.submit(task).get();
            } catch (Exception e) {
                // as it should be
            }
        }
        pool.shutdown();
        System.out.println("done");
    }
}
