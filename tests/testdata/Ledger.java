import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import mallard.Context;

/**
 * Goes ways at random, and keeps a ledger of what Mallard is to say of that. A way may ask for its context, make markers, and be in transactions, of all of which it tells these books. Printed are
 * numbers of contexts with the stacks that they are to have, the number alone where both were printed before, and at the end how many markers were made in each transaction.
 */
abstract class Ledger {
    /** What is counted. */
    static final class Marker {}

    /** A transaction that an invocation has begun, and how deep its frame is. */
    private record Open(String name, int depth) {}

    /** All ways. The first few are dead ends. */
    static List<IntConsumer> ways;
    static int deadEnds = 2;

    /** How often contexts are still to be asked for. */
    static int left;

    static final ThreadLocal<Random> random = ThreadLocal.withInitial(() -> new Random(Thread.currentThread().getName().hashCode()));
    static Object kept;

    private static final ThreadLocal<List<Open>> open = ThreadLocal.withInitial(ArrayList::new);
    private static final ThreadLocal<List<String>> entered = ThreadLocal.withInitial(ArrayList::new);
    private static final Map<String, Integer> made = new TreeMap<>();
    private static final Map<Long, String> printed = new HashMap<>();
    private static final StringBuilder out = new StringBuilder();

    // Ways.

    /** Has this thread, another one so much deeper, and virtual ones go ways until contexts were asked for so often. */
    static void rounds(int times, int depth, int deeper) throws Exception {
        left = times;
        for (int round = 0; left > 0; round++) {
            some(depth);
            Thread thread = new Thread(() -> some(depth + deeper), "worker " + round);
            thread.start();
            some(depth);
            thread.join();
            virtual(round, depth);
            print();
        }
    }

    /** Two virtual threads at a time, where there are such. */
    private static void virtual(int round, int depth) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return;
        }
        Thread one = (Thread) start.invoke(null, (Runnable) () -> named("one " + round, depth));
        Thread other = (Thread) start.invoke(null, (Runnable) () -> named("other " + round, depth));
        one.join();
        other.join();
    }

    private static void named(String name, int depth) {
        random.set(new Random(name.hashCode()));
        some(depth);
    }

    static void some(int depth) {
        for (int i = 0; i < 20; i++) {
            way(depth);
        }
    }

    static void way(int depth) {
        ways.get(random.get().nextInt(depth <= 0 ? deadEnds : ways.size())).accept(depth - 1);
    }

    static void nested(int depth) {
        way(depth);
        way(depth - 1);
    }

    static void make(int depth) {
        keep(new Marker());
        Thread.yield();
    }

    static void ask(int depth) {
        long id = Context.current(); StackTraceElement[] stack = Thread.currentThread().getStackTrace();
        StringBuilder line = new StringBuilder();
        for (int i = 1; i < stack.length; i++) {
            StackTraceElement f = stack[i];
            line.append(i == 1 ? ' ' : ';').append(f.getClassName()).append('.').append(f.getMethodName()).append(':').append(f.isNativeMethod() ? -1 : f.getLineNumber());
            for (int k = open() - 1; k >= 0; k--) {
                if (open.get().get(k).depth == stack.length - i) {
                    line.append(";[").append(open.get().get(k).name).append("]:-1");
                }
            }
        }
        for (int k = entered.get().size() - 1; k >= 0; k--) {
            line.append(";[").append(entered.get().get(k)).append("]:-1");
        }
        String text = line.toString();
        synchronized (out) {
            out.append(HexFormat.of().toHexDigits(id)).append(text.equals(printed.put(id, text)) ? "" : text).append('\n');
            left--;
        }
    }

    // Markers.

    /** Keeps what was just made, with one marker in it or itself one. */
    static Object keep(Object o) {
        return keep(1, o);
    }

    /** Keeps what was just made with so many markers. */
    static Object keep(int markers, Object o) {
        kept = o;
        note(markers);
        return o;
    }

    /** Takes down that markers are made in the running thread's transaction. */
    static void note(int markers) {
        synchronized (out) { // which takes virtual threads off their carriers since JDK 24
            if (Thread.currentThread().getName().isEmpty()) {
                Thread.yield(); // virtual
            }
            made.merge(transaction(), markers, Integer::sum);
        }
    }

    private static String transaction() {
        List<Open> list = open.get();
        List<String> names = entered.get();
        return !list.isEmpty() ? list.get(list.size() - 1).name : names.isEmpty() ? "" : names.get(names.size() - 1);
    }

    // Transactions.

    /** The caller has begun a transaction. */
    static void began(String name) {
        began(name, Thread.currentThread().getStackTrace().length - 2);
    }

    static void began(String name, int depth) {
        open.get().add(new Open(name, depth));
    }

    /** The innermost transaction that an invocation has begun is over. */
    static void ended() {
        over(open() - 1);
    }

    /** How many transactions invocations of the running thread have begun. */
    static int open() {
        return open.get().size();
    }

    /** All but so many of them are over. */
    static void over(int but) {
        open.get().subList(but, open()).clear();
    }

    /** The running thread has entered a transaction. */
    static void entered(String name) {
        if (entered.get().size() < 16) {
            entered.get().add(name);
        }
    }

    /** The running thread has left one, if it was in it, and all inside. */
    static void exited(String name) {
        List<String> names = entered.get();
        int i = names.lastIndexOf(name);
        if (i >= 0) {
            names.subList(i, names.size()).clear();
        }
    }

    // The end.

    /** Prints what was asked for since it was called. All other threads are over. */
    static void print() {
        System.out.print(out);
        out.setLength(0);
    }

    private static final int LAST = 3;

    /** Ends the program by "halt" or "exit", or returns. */
    static void end(String how, Runnable last) {
        end(how.equals("halt"), last, LAST);
        if (how.equals("exit")) {
            System.exit(0);
        }
    }

    /** Has invocations that may have counted what they have not made, or never make, when the program ends. */
    private static void end(boolean halts, Runnable last, int depth) {
        if (depth == 0) {
            note(2 * LAST);
            last.run();
            note(halts ? 1 : 1 + 2 * LAST);
            print();
            made.forEach((name, n) -> System.out.println("made " + n + " " + name));
            System.out.flush();
            kept = new Marker();
            if (halts) {
                Runtime.getRuntime().halt(0);
            }
            return;
        }
        kept = new Marker();
        Object before = new Marker();
        end(halts, last, depth - 1);
        kept = new Marker[] {new Marker(), new Marker()};
        kept = before;
    }
}
