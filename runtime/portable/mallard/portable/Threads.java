package mallard.portable;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Whose counters are where. */
final class Threads {
    /** Ended threads that are kept apart; what the others counted is added up. */
    private static final int MOST_ENDED = 250;

    /** The name that virtual threads have together. */
    private static final String VIRTUALS = "(virtual threads)";

    private static final Class<?> VIRTUAL = virtualThread();

    /**
     * Threads that were not known to have ended when somebody looked last, and of those that have ended the first ones.
     */
    private static Owner[] live = new Owner[16];
    private static int lives;
    private static Owner[] ended = new Owner[16];
    private static int ends;
    private static int next; // of live, to be looked at

    /** What all other ended threads have counted. */
    private static final Owner others = new Owner(null, "(ended threads)", 0, false);

    /** What all virtual threads together have counted that have ended, in contexts. */
    private static final Owner virtuals = new Owner(null, VIRTUALS, 0, true);

    /** Counters of all virtual threads, and of those whose own could not be made, in chunks. */
    private static final AtomicReferenceArray<AtomicLongArray> shared =
            new AtomicReferenceArray<AtomicLongArray>(Counters.CHUNKS);

    private Threads() {}

    /** Sees to it that this class is initialised. */
    static void load() {}

    private static Class<?> virtualThread() {
        try {
            return Class.forName("java.lang.BaseVirtualThread", false, null);
        } catch (Throwable e) {
            return null; // before JDK 19
        }
    }

    /** A thread that counts, and its counters. */
    static final class Owner {
        final WeakReference<Thread> thread;
        final long id;
        final boolean isVirtual;
        final long[][] counters;
        final Tree tree; // null without contexts
        String name;
        boolean hasEnded;

        Owner(Thread thread, String name, long id, boolean isVirtual) {
            this(thread, name, id, isVirtual, isVirtual ? Own.NONE : new long[Counters.CHUNKS][]);
        }

        private Owner(Thread thread, String name, long id, boolean isVirtual, long[][] counters) {
            this.thread = new WeakReference<Thread>(thread);
            this.name = name;
            this.id = id;
            this.isVirtual = isVirtual;
            this.counters = counters;
            tree = Tree.METHODS == 0 ? null : new Tree();
        }

        /** Looks whether the thread has ended, and how it is called now. */
        void look() {
            Thread t = thread.get();
            hasEnded = t == null || !t.isAlive();
            if (t != null && !isVirtual) {
                name = t.getName();
            }
        }

        /** Adds what another thread counted. */
        void add(Owner other) {
            if (tree != null) {
                tree.add(other.tree);
            }
            for (int i = 0; i < counters.length; i++) {
                long[] more = other.counters[i];
                if (more == null) {
                    continue;
                }
                if (counters[i] == null) {
                    counters[i] = new long[Counters.CHUNK];
                }
                for (int k = 0; k < more.length; k++) {
                    counters[i][k] += more[k];
                }
            }
        }
    }

    /**
     * Gives the running thread what it counts in, which it has not yet or has had taken away, as pools of the JDK do
     * with all thread locals. Each new thread looks at two others, whether they have ended: so most that are kept have
     * not.
     */
    static synchronized Owner current() {
        Thread thread = Thread.currentThread();
        boolean isVirtual = VIRTUAL != null && VIRTUAL.isInstance(thread);
        if (isVirtual && Tree.METHODS == 0) {
            return virtuals;
        }
        Owner owner = isVirtual ? new Owner(thread, VIRTUALS, 0, true) : new Owner(thread, thread.getName(),
                thread.getId(), false);
        for (int i = 0; i < 2 && lives > 0; i++) {
            next = next < lives ? next : 0;
            live[next].look();
            if (!live[next].hasEnded) {
                next++;
                continue;
            }
            keep(live[next]);
            live[next] = live[--lives];
            live[lives] = null;
        }
        live = appended(live, lives, owner);
        lives++;
        return owner;
    }

    private static void keep(Owner owner) {
        if (owner.isVirtual) {
            virtuals.add(owner);
        } else if (ends < MOST_ENDED) {
            ended = appended(ended, ends, owner);
            ends++;
        } else {
            others.add(owner);
        }
    }

    private static Owner[] appended(Owner[] list, int length, Owner owner) {
        if (length == list.length) {
            Owner[] longer = new Owner[2 * length];
            System.arraycopy(list, 0, longer, 0, length);
            list = longer;
        }
        list[length] = owner;
        return list;
    }

    /** Adds to a counter that all virtual threads share. */
    static void share(int counter, long n) {
        int chunk = counter / Counters.CHUNK;
        AtomicLongArray counters = shared.get(chunk);
        if (counters == null) {
            shared.compareAndSet(chunk, null, new AtomicLongArray(Counters.CHUNK));
            counters = shared.get(chunk);
        }
        counters.addAndGet(counter % Counters.CHUNK, n);
    }

    /**
     * All threads that have counted, and what they have counted so far; those still running go on. The virtual ones
     * come last.
     */
    static synchronized Owner[] all() {
        int ends = Threads.ends, lives = Threads.lives; // this thread may begin to count now, as classes of the JDK may
        Owner[] all = new Owner[ends + lives + 2];
        System.arraycopy(ended, 0, all, 0, ends);
        Owner virtual = new Owner(null, VIRTUALS, 0, true, new long[Counters.CHUNKS][]);
        int n = ends;
        for (int i = 0; i < lives; i++) {
            live[i].look();
            if (live[i].thread.get() == Thread.currentThread()) {
                continue; // what the recording needs is not the program's
            }
            if (live[i].isVirtual) {
                virtual.tree.addLast(live[i].tree);
            } else {
                all[n++] = live[i];
            }
        }
        if (virtual.tree != null) {
            virtual.tree.addLast(virtuals.tree);
        }
        others.hasEnded = true;
        all[n++] = others;
        for (int i = 0; i < Counters.CHUNKS; i++) {
            AtomicLongArray counters = shared.get(i);
            if (counters == null) {
                continue;
            }
            virtual.counters[i] = new long[Counters.CHUNK];
            for (int k = 0; k < Counters.CHUNK; k++) {
                virtual.counters[i][k] = counters.get(k);
            }
        }
        all[n++] = virtual;
        return Arrays.copyOf(all, n);
    }
}
