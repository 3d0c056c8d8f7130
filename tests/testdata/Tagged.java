import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Makes objects of the same classes in methods that make nothing else, and keeps every tenth. They are hashed, locked
 * and waited for, some by other threads while their constructor runs, or a collection does. It says whether an identity
 * hash has changed.
 */
public class Tagged {
    static class Node {
        final Object a, b;

        Node(Object a, Object b) {
            this.a = a;
            this.b = b;
        }
    }

    /** Its constructor shows it to a thread that locks it and asks for its hash. */
    static class Shown {
        volatile int hash;

        Shown() {
            shown.offer(this);
        }
    }

    /** Locked, with a monitor, when its constructor is over. */
    static class Waited {
        Waited() throws InterruptedException {
            synchronized (this) {
                wait(1);
            }
        }
    }

    static class Hashed {
        final int hash = System.identityHashCode(this);
    }

    /** There may be a collection before its constructor is over. */
    static class Interrupted {
        Interrupted(boolean collects) {
            if (collects) {
                System.gc();
            }
        }
    }

    /** Locked while a collection moves it for the last time until one moves everything. */
    static class Locked {
        synchronized void promote(boolean monitor) throws InterruptedException {
            System.gc();
            if (monitor) {
                wait(1);
            }
            for (long bytes = Runtime.getRuntime().maxMemory(); bytes > 0; bytes -= 8192) {
                sink = new long[1024];
            }
        }
    }

    /** From half of the rounds on some are made where nobody can say by whom. */
    static class Raw implements Cloneable {
        static Object copy(Raw of) throws Throwable {
            MethodHandle clone = MethodHandles.lookup().findSpecial(Object.class, "clone",
                    MethodType.methodType(Object.class), Raw.class);
            return clone.invoke(of);
        }
    }

    static class Copied implements Cloneable {
        Copied copy() throws CloneNotSupportedException {
            return (Copied) super.clone();
        }

        static Copied make() {
            return new Copied();
        }
    }

    static final ArrayBlockingQueue<Shown> shown = new ArrayBlockingQueue<>(64);
    static final List<Object> kept = new ArrayList<>();
    static final List<Object> hashed = new ArrayList<>();
    static final List<Integer> hashes = new ArrayList<>();
    static volatile Object sink;

    static Object one() {
        return new Node(null, null);
    }

    static Object left() {
        return one();
    }

    static Object right() {
        return one();
    }

    static Object nested(int i) {
        return new Node(i % 2 == 0 ? new Node(sink, null) : null, i % 3 == 0 ? new int[2] : new int[i % 5]);
    }

    static Object ints(int i) {
        return new int[i % 7];
    }

    static Object constantInts() {
        return new int[4];
    }

    static Object table(int i) {
        return new int[3][i % 4];
    }

    static Object references(int i) {
        return new Node[i % 6];
    }

    static Object cloned(Node[] of) {
        return of.clone();
    }

    static Object copied(Node[] of) {
        return Arrays.copyOf(of, of.length + 1);
    }

    static Object shown() {
        return new Shown();
    }

    static Object shownToo() {
        return new Shown();
    }

    static Object hashedOne() {
        return new Hashed();
    }

    static Object hashedTwo() {
        return new Hashed();
    }

    static Object interrupted() {
        return new Interrupted(true);
    }

    static Object uninterrupted() {
        return new Interrupted(false);
    }

    static Object locked(boolean monitor) throws InterruptedException {
        Locked o = new Locked();
        o.promote(monitor);
        System.gc();
        return o;
    }

    static Object unlocked() {
        return new Locked();
    }

    static Raw made() {
        return new Raw();
    }

    static Object waited() throws InterruptedException {
        return new Waited();
    }

    static Object text(int i) {
        return new String("text" + i);
    }

    static Object concatenated(int i) {
        return "n" + i;
    }

    static Object built(int i) {
        return new StringBuilder().append('b').append(i).toString();
    }

    static void keep(int i, Object o) {
        sink = o;
        if (i % 10 == 0) {
            kept.add(o);
        }
    }

    static void hash(Object o) {
        hashed.add(o);
        hashes.add(System.identityHashCode(o));
    }

    public static void main(String[] args) throws Throwable {
        int n = Integer.parseInt(args[0]);
        Thread other = new Thread(() -> {
            try {
                while (true) {
                    Shown s = shown.take();
                    synchronized (s) {
                        s.hash = System.identityHashCode(s);
                        s.notify();
                    }
                }
            } catch (InterruptedException e) {
                return;
            }
        });
        other.setDaemon(true);
        other.start();
        Node[] nodes = {new Node(null, null), null};
        for (int i = 0; i < n; i++) {
            keep(i, one());
            keep(i, left());
            keep(i, right());
            keep(i, nested(i));
            keep(i, ints(i));
            keep(i, constantInts());
            keep(i, table(i));
            keep(i, references(i));
            keep(i, cloned(nodes));
            keep(i, copied(nodes));
            keep(i, shown());
            keep(i, shownToo());
            keep(i, hashedOne());
            keep(i, hashedTwo());
            keep(i, Copied.make().copy());
            keep(i, text(i));
            keep(i, concatenated(i));
            keep(i, built(i));
            keep(i, uninterrupted());
            keep(i, unlocked());
            Raw raw = made();
            keep(i, raw);
            if (i > n / 2 && i % 100 == 0) {
                keep(i, Raw.copy(raw));
            }
            if (i % (n / 4) == 0) {
                keep(i, locked(i % (n / 2) == 0));
            }
            if (i % (n / 20) == 0) {
                keep(i, interrupted());
                keep(i, waited());
                hash(kept.get(kept.size() - 1));
                hash(kept.get(kept.size() / 2));
            }
        }
        other.interrupt();
        other.join();
        shown.clear();
        sink = null;
        System.gc();
        int wrong = 0;
        for (int i = 0; i < hashed.size(); i++) {
            wrong += System.identityHashCode(hashed.get(i)) == hashes.get(i) ? 0 : 1;
        }
        for (Object o : kept) {
            wrong += o instanceof Shown && ((Shown) o).hash != 0 && ((Shown) o).hash != System.identityHashCode(o) ? 1 : 0;
            wrong += o instanceof Hashed && ((Hashed) o).hash != System.identityHashCode(o) ? 1 : 0;
        }
        System.out.println(kept.size() + " kept, " + wrong + " hashes have changed");
    }
}
