import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import mallard.Context;

/**
 * Begins and ends transactions at random places, and keeps a list of them of its own. It prints numbers of contexts with the stacks that they are to have, and at the end what was made
 * in each transaction. The arguments say how often, and how the program ends.
 */
public class Transacts {
    /** What is counted. */
    static final class Marker {}

    /** A transaction, and how deep the frame is that began it. */
    private record Begun(String name, int depth) {}

    private static final List<IntConsumer> ways = List.of(Transacts::make, Transacts::ask, Transacts::nested, Transacts::thrown, Transacts::ended, Transacts::forgotten, Transacts::twice, Transacts::passed,
            Transacts::constructed, Transacts::reflected, Transacts::sorted, Transacts::initialised, Transacts::unmatched, Transacts::again, Transacts::looped, Transacts::loaded);
    private static final ThreadLocal<Random> random = ThreadLocal.withInitial(() -> new Random(Thread.currentThread().getName().hashCode()));
    private static final ThreadLocal<List<Begun>> begun = ThreadLocal.withInitial(ArrayList::new);
    private static final Map<String, Integer> made = new TreeMap<>();
    private static final StringBuilder out = new StringBuilder();
    private static int left;
    private static Object kept;

    public static void main(String[] args) throws Exception {
        left = Integer.parseInt(args[0]);
        for (int round = 0; left > 0; round++) {
            some(4);
            Thread thread = new Thread(() -> some(5), "worker " + round);
            thread.start();
            some(4);
            thread.join();
            virtual(round);
        }
        recursive(1_100);
        Context.begin("end");
        begun.get().add(new Begun("end", depth()));
        last(args[1].equals("exit"), 3);
    }

    /** Two virtual threads at a time, where there are such. */
    private static void virtual(int round) throws Exception {
        try {
            var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
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
        some(4);
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
        return "name " + random.get().nextInt(5);
    }

    /** How many frames the caller of the caller stands on, itself included. */
    private static int depth() {
        return Thread.currentThread().getStackTrace().length - 2;
    }

    private static void note(int n) {
        List<Begun> list = begun.get();
        synchronized (out) { // which takes virtual threads off their carriers since JDK 24
            Thread.yield();
            made.merge(list.isEmpty() ? "" : list.get(list.size() - 1).name, n, Integer::sum);
        }
    }

    private static void shrink(int to) {
        List<Begun> list = begun.get();
        list.subList(to, list.size()).clear();
    }

    private static void make(int depth) {
        kept = new Marker();
        note(1);
        Thread.yield();
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
        synchronized (out) {
            out.append(line).append('\n');
            left--;
        }
    }

    private static void nested(int depth) {
        way(depth);
        way(depth - 1);
    }

    /** As it ought to be. */
    private static void ended(int depth) {
        String name = name();
        kept = new Marker();
        note(1);
        Context.begin(name);
        begun.get().add(new Begun(name, depth()));
        try {
            kept = new Marker();
            note(1);
            way(depth);
            if (depth == 2) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            way(depth - 1);
            kept = new Marker();
            note(1);
        } finally {
            Context.end();
            shrink(begun.get().size() - 1);
        }
        kept = new Marker();
        note(1);
        way(depth - 1);
    }

    /** Without an end. */
    private static void forgotten(int depth) {
        int size = begun.get().size();
        String name = name();
        way(depth - 1);
        Context.begin(name);
        begun.get().add(new Begun(name, depth()));
        kept = new Marker();
        note(1);
        way(depth);
        shrink(size);
    }

    /** Two in one invocation, and one behind the other. */
    private static void twice(int depth) {
        String first = name(), second = name();
        Context.begin(first);
        begun.get().add(new Begun(first, depth()));
        way(depth);
        Context.begin(second);
        begun.get().add(new Begun(second, depth()));
        way(depth);
        kept = new Marker();
        note(1);
        Context.end();
        shrink(begun.get().size() - 1);
        way(depth - 1);
        Context.end();
        shrink(begun.get().size() - 1);
        Context.begin(second);
        begun.get().add(new Begun(second, depth()));
        way(depth - 1);
        kept = new Marker();
        note(1);
        Context.end();
        shrink(begun.get().size() - 1);
    }

    /** An exception leaves it, in transactions or before, and it is called once more. */
    private static void thrown(int depth) {
        int size = begun.get().size();
        for (int i = 0; i < 2; i++) {
            try {
                fail(depth, 3, i);
            } catch (IllegalStateException e) {
                shrink(size);
                way(depth);
            }
            kept = new Marker();
            note(1);
        }
    }

    private static void fail(int depth, int more, int i) {
        String name = name();
        way(depth - 1);
        kept = new Marker();
        note(1);
        if (i == 0) {
            Context.begin(name);
            begun.get().add(new Begun(name, depth()));
        }
        if (more == 0) {
            way(depth);
            throw new IllegalStateException();
        }
        fail(depth, more - 1, i);
    }

    /** Ends what another invocation has begun: it does not. */
    private static void unmatched(int depth) {
        Context.end();
        way(depth);
        Context.end();
        kept = new Marker();
        note(1);
    }

    /** What another method has begun is over when it returns. */
    private static void passed(int depth) {
        beginner();
        kept = new Marker();
        note(1);
        way(depth);
        Context.end();
        way(depth - 1);
    }

    private static void beginner() {
        Context.begin("beginner");
    }

    /** The same context again, after an exception has left it. */
    private static void again(int depth) {
        for (int i = 0; i < 3; i++) {
            int size = begun.get().size();
            try {
                Late.once(i, depth);
            } catch (IllegalStateException e) {
                shrink(size);
            }
        }
    }

    private static void looped(int depth) {
        for (int i = 0; i < 30; i++) {
            Context.begin("loop");
            begun.get().add(new Begun("loop", depth()));
            for (int k = 0; k < i; k++) {
                kept = new Marker();
            }
            note(i);
            Context.end();
            shrink(begun.get().size() - 1);
            kept = new Marker[] {new Marker(), new Marker()};
            note(2);
        }
        way(depth);
    }

    /** The VM calls the same method from the same stack, in one transaction and another. */
    private static void loaded(int depth) {
        for (int i = 0; i < 12; i++) {
            String name = "load " + i % 2;
            Context.begin(name);
            begun.get().add(new Begun(name, depth()));
            try {
                Class.forName("Missing", false, loader);
            } catch (ClassNotFoundException e) {
                Context.end();
            }
            shrink(begun.get().size() - 1);
        }
    }

    private static final ClassLoader loader = new ClassLoader() {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            kept = new Marker();
            note(1);
            ask(0);
            throw new ClassNotFoundException(name);
        }
    };

    private static void constructed(int depth) {
        new Made(depth);
    }

    private static class Base {
        Base(Object o) {
            kept = o;
        }
    }

    private static final class Made extends Base {
        Made(int depth) {
            super(new Marker());
            note(1);
            String name = name();
            Context.begin(name);
            begun.get().add(new Begun(name, depth()));
            way(depth);
            Context.end();
            shrink(begun.get().size() - 1);
            kept = new Marker();
            note(1);
        }
    }

    private static void reflected(int depth) {
        try {
            Transacts.class.getDeclaredMethod("ended", int.class).invoke(null, depth);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void sorted(int depth) {
        List<Integer> list = new ArrayList<>(List.of(2, 1));
        list.sort((a, b) -> {
            Context.begin("sort");
            begun.get().add(new Begun("sort", depth()));
            way(depth);
            Context.end();
            shrink(begun.get().size() - 1);
            return a - b;
        });
    }

    private static void initialised(int depth) {
        if (Late.value > 0) {
            way(depth);
        }
    }

    /** Initialised by the VM, in whatever transaction. */
    private static final class Late {
        static final int value = start();

        private static int start() {
            Context.begin("initialiser");
            begun.get().add(new Begun("initialiser", depth()));
            ask(0);
            kept = new Marker();
            note(1);
            Context.end();
            shrink(begun.get().size() - 1);
            return 1;
        }

        /** Calls something before it begins one, in the same context as the invocation that has thrown. */
        private static void once(int i, int depth) {
            ask(0);
            sorted(depth - 1);
            kept = new Marker();
            note(1);
            Context.begin("once");
            begun.get().add(new Begun("once", depth()));
            ask(0);
            sorted(depth - 1);
            if (i < 2) {
                throw new IllegalStateException();
            }
            Context.end();
            shrink(begun.get().size() - 1);
        }
    }

    /** Transactions inside each other, deeper than stacks are reported. */
    private static void recursive(int depth) {
        Context.begin(depth % 2 == 0 ? "even" : "odd");
        begun.get().add(new Begun(depth % 2 == 0 ? "even" : "odd", 0));
        kept = new Marker();
        note(1);
        if (depth > 0) {
            recursive(depth - 1);
        }
        Context.end();
        shrink(begun.get().size() - 1);
        kept = new Marker();
        note(1);
    }

    /** Ends the program with frames that have counted what they have not made yet. */
    private static void last(boolean exit, int depth) {
        if (depth == 0) {
            note(3 * 2 + 1);
            System.out.print(out);
            made.forEach((name, n) -> System.out.println("made " + n + " " + name));
            System.out.flush();
            kept = new Marker();
            if (exit) {
                Runtime.getRuntime().halt(0);
            }
            return;
        }
        kept = new Marker();
        Object before = new Marker();
        last(exit, depth - 1);
        if (exit) {
            kept = new Marker[] {new Marker(), new Marker()};
        }
        kept = before;
    }
}
