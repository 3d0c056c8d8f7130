import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes objects of one class at two sites: "Locked ROUNDS ROUNDS_BETWEEN_COLLECTIONS ROUNDS_BETWEEN_COPIES"; 0: it asks
 * for none. While the constructors of some run another thread locks these, and does not unlock them before they are
 * over, and before a collection that comes right behind: headers are elsewhere then. Of copies nobody can say what made
 * them. All are kept for a while, those of every tenth round for ever.
 */
public class Locked {
    static final class Shown implements Cloneable {
        volatile boolean locked, made;
        int hash;

        Shown(Pair pair, boolean show) {
            if (show) {
                pair.shown = this;
                while (!locked) {
                    Thread.onSpinWait();
                }
            }
        }

        static Shown copy(Shown of) throws Throwable {
            MethodHandle clone = MethodHandles.lookup().findSpecial(Object.class, "clone",
                    MethodType.methodType(Object.class), Shown.class);
            Shown copy = (Shown) clone.invoke(of);
            copy.hash = 0; // its own is another one
            return copy;
        }
    }

    /** A thread that makes objects, and another that locks them. */
    static final class Pair {
        final int rounds, full, copies;
        final List<Shown> kept = new ArrayList<>();
        final Shown[] recent = new Shown[4000];
        volatile Shown shown;
        volatile Object sink;
        volatile boolean over;
        int count;

        Pair(int rounds, int full, int copies) {
            this.rounds = rounds;
            this.full = full;
            this.copies = copies;
        }

        Shown one(boolean show) {
            return new Shown(this, show);
        }

        Shown two(boolean show) {
            return new Shown(this, show);
        }

        void make() throws Throwable {
            for (int i = 0; i < rounds; i++) {
                Shown first = one(i % 8 == 0);
                if (full > 0 && i % full == 0) { // the other thread still has it locked, if it was shown
                    System.gc();
                }
                keep(i, first);
                keep(i, two(i % 16 == 0));
                if (copies > 0 && i % copies == 0) {
                    keep(i, Shown.copy(kept.get(0)));
                }
            }
            over = true;
        }

        void keep(int i, Shown made) {
            made.made = true;
            shown = null;
            recent[count++ % recent.length] = made;
            sink = new byte[100];
            if (i % 10 == 0) {
                kept.add(made);
            }
        }

        void lock() {
            for (int n = 0; !over; n++) {
                Shown s = shown;
                if (s == null || s.locked) {
                    Thread.onSpinWait();
                    continue;
                }
                synchronized (s) {
                    if (n % 4 == 1) {
                        s.hash = System.identityHashCode(s);
                    }
                    s.locked = true;
                    while (!s.made) {
                        Thread.onSpinWait();
                    }
                    if (n % 4 == 2) {
                        s.notify();
                    }
                    if (n % 4 == 3) {
                        s.hash = System.identityHashCode(s);
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Pair pair = new Pair(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        Thread[] threads = {new Thread(() -> {
            try {
                pair.make();
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }), new Thread(pair::lock)};
        for (Thread t : threads) {
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        pair.shown = null;
        Arrays.fill(pair.recent, null);
        int changed = 0;
        for (Shown s : pair.kept) {
            changed += s.hash != 0 && s.hash != System.identityHashCode(s) ? 1 : 0;
        }
        System.gc();
        System.out.println(pair.kept.size() + " kept, " + changed + " hashes have changed");
    }
}
