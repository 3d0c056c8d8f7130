import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import mallard.Context;

/**
 * Enters and leaves transactions in methods that return, as interceptors do, under callers that make things before, between and behind, and keeps books of its own. It prints numbers of contexts
 * with the stacks that they are to have, and at the end what was made in each transaction. The arguments say how often, and how the program ends.
 */
public class Intercepts {
    /** What is counted. */
    static final class Marker {}

    /** A transaction that an invocation has begun, and how deep its frame is. */
    private record Begun(String name, int depth) {}

    /** Leaves a method when something is over that it does not know. */
    private static final class Over extends RuntimeException {
        Over() {
            super(null, null, false, false);
        }
    }

    private static final List<IntConsumer> ways = List.of(Intercepts::make, Intercepts::ask, Intercepts::filtered, Intercepts::failing, Intercepts::nested, Intercepts::forgotten, Intercepts::unmatched,
            Intercepts::polled, Intercepts::begun, Intercepts::across, Intercepts::reflected, Intercepts::sorted, Intercepts::loaded, Intercepts::initialised, Intercepts::constructed, Intercepts::branches,
            Intercepts::deep, Intercepts::left, Intercepts::arrays, Intercepts::same);
    private static final ThreadLocal<Random> random = ThreadLocal.withInitial(() -> new Random(Thread.currentThread().getName().hashCode()));
    private static final ThreadLocal<List<Begun>> begun = ThreadLocal.withInitial(ArrayList::new);
    private static final ThreadLocal<List<String>> entered = ThreadLocal.withInitial(ArrayList::new);
    private static final Map<String, Integer> made = new TreeMap<>();
    private static final StringBuilder out = new StringBuilder();
    private static int left;
    private static Object kept;

    public static void main(String[] args) throws Exception {
        left = Integer.parseInt(args[0]);
        for (int round = 0; left > 0; round++) {
            some(3);
            Thread thread = new Thread(() -> some(3), "worker " + round);
            thread.start();
            some(3);
            thread.join();
            virtual(round);
        }
        Context.exit("never");
        last(args[1].equals("halt"), 3);
        if (args[1].equals("exit")) {
            System.exit(0);
        }
    }

    /** Two virtual threads at a time, where there are such. */
    private static void virtual(int round) throws Exception {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            Thread one = (Thread) start.invoke(null, (Runnable) () -> named("one " + round));
            Thread other = (Thread) start.invoke(null, (Runnable) () -> named("other " + round));
            one.join();
            other.join();
        } catch (NoSuchMethodException e) {
            return;
        }
    }

    private static void named(String name) {
        random.set(new Random(name.hashCode()));
        some(3);
    }

    private static void some(int depth) {
        for (int i = 0; i < 20; i++) {
            way(depth);
        }
    }

    private static void way(int depth) {
        ways.get(depth <= 0 ? random.get().nextInt(2) : random.get().nextInt(ways.size())).accept(depth - 1);
    }

    private static String name() {
        return "name " + random.get().nextInt(4);
    }

    private static int depth() {
        return Thread.currentThread().getStackTrace().length - 2;
    }

    private static void note(int n) {
        List<Begun> list = begun.get();
        List<String> names = entered.get();
        synchronized (out) { // which takes virtual threads off their carriers since JDK 24
            if (Thread.currentThread().getName().isEmpty()) {
                Thread.yield(); // virtual
            }
            made.merge(!list.isEmpty() ? list.get(list.size() - 1).name : names.isEmpty() ? "" : names.get(names.size() - 1), n, Integer::sum);
        }
    }

    // The interceptor: its methods return.

    private static void before(String name) {
        kept = new Marker();
        note(1);
        Context.enter(name);
        if (entered.get().size() < 16) {
            entered.get().add(name);
        }
        kept = new Marker();
        note(1);
    }

    private static void after(String name) {
        kept = new Marker();
        note(1);
        Context.exit(name);
        List<String> names = entered.get();
        int i = names.lastIndexOf(name);
        if (i >= 0) {
            names.subList(i, names.size()).clear();
        }
        kept = new Marker[] {new Marker(), new Marker()};
        note(2);
    }

    private static void make(int depth) {
        kept = new Marker();
        note(1);
    }

    private static void ask(int depth) {
        long id = Context.current(); StackTraceElement[] stack = Thread.currentThread().getStackTrace();
        StringBuilder line = new StringBuilder(String.format("%016x", id));
        for (int i = 1; i < stack.length; i++) {
            StackTraceElement f = stack[i];
            line.append(i == 1 ? ' ' : ';').append(f.getClassName()).append('.').append(f.getMethodName()).append(':').append(f.isNativeMethod() ? -1 : f.getLineNumber());
            for (int k = begun.get().size() - 1; k >= 0; k--) {
                if (begun.get().get(k).depth == stack.length - i) {
                    line.append(";[").append(begun.get().get(k).name).append("]:-1");
                }
            }
        }
        for (int k = entered.get().size() - 1; k >= 0; k--) {
            line.append(";[").append(entered.get().get(k)).append("]:-1");
        }
        synchronized (out) {
            out.append(line).append('\n');
            left--;
        }
    }

    /** What a framework does. All of its own are on one path, and in three transactions. */
    private static void filtered(int depth) {
        String name = name();
        Object one = new Marker();
        note(1);
        before(name);
        Object two = new Marker();
        note(1);
        way(depth);
        Object three = new Marker[] {new Marker()};
        note(1);
        after(name);
        kept = List.of(one, two, three, new Marker());
        note(1);
        way(depth - 1);
    }

    /** What is called fails, and what the caller makes behind it is never made. */
    private static void failing(int depth) {
        for (int i = 0; i < 3; i++) {
            String name = name();
            before(name);
            try {
                fails(depth, i);
                kept = new Marker();
                note(1);
            } catch (Over e) {
                kept = new Marker();
                note(1);
            } finally {
                after(name);
            }
        }
    }

    private static void fails(int depth, int i) {
        Object a = new Marker();
        note(1);
        String name = name();
        before(name);
        Object b = new Marker();
        note(1);
        fail(depth, i);
        kept = new Object[] {a, b, new Marker(), new Marker()};
        note(2);
        after(name);
        kept = new Marker();
        note(1);
    }

    private static void fail(int depth, int i) {
        Object a = new Marker();
        note(1);
        way(depth);
        if (i != 1) {
            after(name());
            throw new Over();
        }
        kept = new Object[] {a, new Marker()};
        note(1);
    }

    private static void nested(int depth) {
        String outer = name(), inner = name();
        before(outer);
        way(depth);
        before(inner);
        kept = new Marker();
        note(1);
        way(depth);
        after(inner);
        kept = new Marker();
        note(1);
        after(outer);
        way(depth - 1);
    }

    /** Entered, and not left but with what is around it. */
    private static void forgotten(int depth) {
        before("around");
        before("forgotten");
        way(depth);
        before("forgotten");
        kept = new Marker();
        note(1);
        after("around");
        way(depth - 1);
    }

    private static void unmatched(int depth) {
        after("never");
        way(depth);
    }

    /** Left by a callee of a callee, and entered again by another. */
    private static void across(int depth) {
        String name = name();
        Object one = new Marker();
        note(1);
        switches(name, depth, true);
        Object two = new Marker();
        note(1);
        switches(name, depth - 1, false);
        kept = new Object[] {one, two, new Marker()};
        note(1);
    }

    private static void switches(String name, int depth, boolean enter) {
        Object one = new Marker();
        note(1);
        if (enter) {
            before(name);
        } else {
            after(name);
        }
        kept = new Object[] {one, new Marker()};
        note(1);
        way(depth);
    }

    private static void polled(int depth) {
        for (int i = 0; i < 20; i++) {
            kept = new Marker();
            note(1);
            before("polled");
            for (int k = 0; k < i; k++) {
                kept = new Marker();
            }
            note(i);
            after("polled");
        }
        way(depth);
    }

    /** Transactions of invocations, with some that the thread enters and leaves meanwhile. */
    private static void begun(int depth) {
        String name = "begun " + random.get().nextInt(2);
        way(depth - 1);
        Context.begin(name);
        begun.get().add(new Begun(name, depth()));
        before(name());
        way(depth);
        kept = new Marker();
        note(1);
        if (random.get().nextBoolean()) {
            after(name());
        }
        way(depth);
        Context.end();
        begun.get().remove(begun.get().size() - 1);
        kept = new Marker();
        note(1);
        after(name());
        way(depth - 1);
    }

    private static void reflected(int depth) {
        try {
            Intercepts.class.getDeclaredMethod("before", String.class).invoke(null, "reflected");
            Intercepts.class.getDeclaredMethod("filtered", int.class).invoke(null, depth);
            Intercepts.class.getDeclaredMethod("after", String.class).invoke(null, "reflected");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void sorted(int depth) {
        List<Integer> list = new ArrayList<>(List.of(2, 1));
        String name = name();
        list.sort((a, b) -> {
            before(name);
            way(depth);
            return a - b;
        });
        kept = new Marker();
        note(1);
        after(name);
    }

    private static void loaded(int depth) {
        for (int i = 0; i < 4; i++) {
            if (i % 2 == 1) {
                before("loading");
            }
            try {
                Class.forName("Missing", false, loader);
            } catch (ClassNotFoundException e) {
                kept = new Marker();
                note(1);
            }
            if (i % 2 == 1) {
                after("loading");
            }
        }
    }

    private static final ClassLoader loader = new ClassLoader() {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            kept = new Marker();
            note(1);
            ask(0);
            String other = name();
            before(other);
            ask(0);
            filtered(0);
            after(other);
            throw new ClassNotFoundException(name);
        }
    };

    private static void initialised(int depth) {
        if (Late.value > 0) {
            way(depth);
        }
    }

    /** Initialised by the VM, in whatever transaction, and leaves it in another. */
    private static final class Late {
        static final int value = start();

        private static int start() {
            Object one = new Marker();
            note(1);
            before("initialiser");
            ask(0);
            kept = new Object[] {one, new Marker()};
            note(1);
            return 1;
        }
    }

    private static void constructed(int depth) {
        new Made(depth);
        way(depth - 1);
        after("made");
    }

    private static class Base {
        Base(Object o) {
            kept = o;
            note(1);
            before("made");
        }
    }

    private static final class Made extends Base {
        Made(int depth) {
            super(new Marker());
            way(depth);
            kept = new Marker();
            note(1);
        }
    }

    /** Paths that are counted late, or early, depending on which. */
    private static void branches(int depth) {
        String name = name();
        for (int i = 0; i < 6; i++) {
            Object a = null, b = null;
            boolean some = random.get().nextBoolean(), others = random.get().nextBoolean();
            if (some) {
                a = new Marker();
                note(1);
            }
            before(name);
            if (others) {
                b = new Marker();
                note(1);
            } else {
                way(depth - 1);
            }
            if (some) {
                kept = new Marker[] {new Marker(), new Marker(), new Marker()};
                note(3);
                after(name);
            }
            kept = new Object[] {a, b, new Marker()};
            note(1);
            if (!some) {
                after(name);
            }
        }
    }

    private static void deep(int depth) {
        deeper(30 + random.get().nextInt(200), depth, name());
    }

    private static void deeper(int more, int depth, String name) {
        Object a = new Marker();
        note(1);
        if (more == 100) {
            before(name);
        }
        if (more > 0) {
            deeper(more - 1, depth, name);
        } else {
            way(depth - 1);
        }
        if (more == 150) {
            after(name);
        }
        kept = new Object[] {a, new Marker()};
        note(1);
    }

    /** The frame that has entered is left by an exception, and nobody leaves the transaction. */
    private static void left(int depth) {
        Object a = new Marker();
        note(1);
        try {
            leaves(depth);
        } catch (Over e) {
            kept = new Object[] {a, new Marker()};
            note(1);
        }
        way(depth - 1);
        after("left");
    }

    private static void leaves(int depth) {
        before("left");
        way(depth - 1);
        if (depth >= 0) {
            throw new Over();
        }
        kept = new Marker();
        note(1);
    }

    private static void arrays(int depth) {
        String name = name();
        int n = random.get().nextInt(5);
        Object a = new Object[] {new Marker[n], new Marker()};
        note(1);
        before(name);
        kept = new Object[] {a, new int[n], new Marker(), new byte[n][n]};
        note(1);
        after(name);
        kept = new Object[] {a, new Marker()};
        note(1);
    }

    /** The same again and again, until it is as deep as it may be. */
    private static void same(int depth) {
        if (random.get().nextInt(20) > 0) {
            return;
        }
        for (int i = 0; i < 20; i++) {
            before("same");
            if (i < 3) {
                way(depth - 1);
            }
            kept = new Marker();
            note(1);
        }
        for (int i = 0; i < 20; i++) {
            after("same");
        }
    }

    /** Ends the program in a transaction, with frames that have counted what they have not made yet. */
    private static void last(boolean halt, int depth) {
        if (depth == 0) {
            note(3 * 2);
            before("last");
            note(halt ? 1 : 1 + 3 * 2);
            System.out.print(out);
            made.forEach((name, n) -> System.out.println("made " + n + " " + name));
            System.out.flush();
            kept = new Marker();
            if (halt) {
                Runtime.getRuntime().halt(0);
            }
            return;
        }
        kept = new Marker();
        Object before = new Marker();
        last(halt, depth - 1);
        if (!halt) {
            kept = new Marker[] {new Marker(), new Marker()};
        }
        kept = before;
    }
}
