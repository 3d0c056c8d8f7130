/**
 * Constructors show their object to another thread, which locks it again and again while they end, in different ways;
 * or they do not. What locks guard has to stay right.
 */
public class Shown {
    /** What is locked counts how often. */
    abstract static class Counted {
        int locked;
    }

    static volatile Counted shown, seen;
    static volatile boolean over;
    static long locks, lost;

    /** Until the other thread has begun with what is shown, or has not for long. */
    static void pause() {
        Counted now = shown;
        for (int i = 0; i < 2000 && seen != now; i++) Thread.onSpinWait();
    }

    static void show(Counted it) {
        shown = it;
        pause();
    }

    static class InField extends Counted {
        InField() {
            shown = this;
            pause();
        }
    }

    static class AsArgument extends Counted {
        AsArgument() {
            show(this);
        }
    }

    static class ByMethod extends Counted {
        ByMethod() {
            publish();
            pause();
        }

        void publish() {
            shown = this;
        }
    }

    static class ByLambda extends Counted {
        ByLambda() {
            Runnable r = () -> shown = this;
            r.run();
            pause();
        }
    }

    static class BySuperclass extends InField {
        int own = 3;
    }

    /** Shown by who makes it. */
    static class Later extends Counted {
        int own = 4;
    }

    static final int KINDS = 6, CALLS = 40;

    /** So that objects are made in many contexts. */
    static void call(int more, int i) {
        if (more == 0) {
            make(i);
        } else {
            call(more - 1, i);
        }
    }

    static void make(int i) {
        switch (i % KINDS) {
            case 0: new InField(); break;
            case 1: new AsArgument(); break;
            case 2: new ByMethod(); break;
            case 3: new ByLambda(); break;
            case 4: new BySuperclass(); break;
            default: show(new Later());
        }
    }

    static void lock() {
        while (!over) {
            Counted it = shown;
            if (it == null || it == seen) continue;
            seen = it;
            int n = 0;
            for (; n < 200 && (shown == it || n < 20); n++)
                synchronized (it) {
                    it.locked++;
                    if (!Thread.holdsLock(it)) lost++;
                }
            if (it.locked != n) lost++;
            locks += n;
        }
    }

    public static void main(String[] args) throws Exception {
        int objects = Integer.parseInt(args[0]);
        Thread locker = new Thread(Shown::lock);
        locker.start();
        for (int i = 0; i < objects; i++) call(i / KINDS % CALLS, i);
        over = true;
        locker.join();
        System.out.println(objects + " objects, " + (locks > objects ? "locked, " : "hardly locked, ") + lost + " lost");
    }
}
