import java.util.ArrayList;
import java.util.List;
import mallard.Context;

/** Begins and ends transactions at random places. The arguments say how often it asks for contexts, and how the program ends. */
public class Transacts extends Ledger {
    public static void main(String[] args) throws Exception {
        ways = List.of(Ledger::make, Ledger::ask, Ledger::nested, Transacts::thrown, Transacts::tried, Transacts::forgotten, Transacts::twice, Transacts::passed, Transacts::constructed,
                Transacts::reflected, Transacts::sorted, Transacts::initialised, Transacts::unmatched, Transacts::again, Transacts::looped, Transacts::loaded);
        rounds(Integer.parseInt(args[0]), 4, 1);
        recursive(1_100);
        Context.begin("end");
        began("end");
        end(args[1], () -> {});
    }

    private static String name() {
        return "name " + random.get().nextInt(5);
    }

    /** As it ought to be. */
    private static void tried(int depth) {
        String name = name();
        keep(new Marker());
        Context.begin(name);
        began(name);
        try {
            keep(new Marker());
            way(depth);
            if (depth == 2) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            way(depth - 1);
            keep(new Marker());
        } finally {
            Context.end();
            ended();
        }
        keep(new Marker());
        way(depth - 1);
    }

    /** Without an end. */
    private static void forgotten(int depth) {
        int open = open();
        String name = name();
        way(depth - 1);
        Context.begin(name);
        began(name);
        keep(new Marker());
        way(depth);
        over(open);
    }

    /** Two in one invocation, and one behind the other. */
    private static void twice(int depth) {
        String first = name(), second = name();
        Context.begin(first);
        began(first);
        way(depth);
        Context.begin(second);
        began(second);
        way(depth);
        keep(new Marker());
        Context.end();
        ended();
        way(depth - 1);
        Context.end();
        ended();
        Context.begin(second);
        began(second);
        way(depth - 1);
        keep(new Marker());
        Context.end();
        ended();
    }

    /** An exception leaves it, in transactions or before, and it is called once more. */
    private static void thrown(int depth) {
        int open = open();
        for (int i = 0; i < 2; i++) {
            try {
                fail(depth, 3, i);
            } catch (IllegalStateException e) {
                over(open);
                way(depth);
            }
            keep(new Marker());
        }
    }

    private static void fail(int depth, int more, int i) {
        String name = name();
        way(depth - 1);
        keep(new Marker());
        if (i == 0) {
            Context.begin(name);
            began(name);
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
        keep(new Marker());
    }

    /** What another method has begun is over when it returns. */
    private static void passed(int depth) {
        beginner();
        keep(new Marker());
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
            int open = open();
            try {
                Late.once(i, depth);
            } catch (IllegalStateException e) {
                over(open);
            }
        }
    }

    private static void looped(int depth) {
        for (int i = 0; i < 30; i++) {
            Context.begin("loop");
            began("loop");
            for (int k = 0; k < i; k++) {
                kept = new Marker();
            }
            note(i);
            Context.end();
            ended();
            keep(2, new Marker[] {new Marker(), new Marker()});
        }
        way(depth);
    }

    /** The VM calls the same method from the same stack, in one transaction and another. */
    private static void loaded(int depth) {
        for (int i = 0; i < 12; i++) {
            String name = "load " + i % 2;
            Context.begin(name);
            began(name);
            try {
                Class.forName("Missing", false, loader);
            } catch (ClassNotFoundException e) {
                Context.end();
            }
            ended();
        }
    }

    private static final ClassLoader loader = new ClassLoader() {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            keep(new Marker());
            ask(0);
            throw new ClassNotFoundException(name);
        }
    };

    private static void constructed(int depth) {
        new Made(depth);
    }

    private static class Base {
        Base(Object o) {
            keep(o);
        }
    }

    private static final class Made extends Base {
        Made(int depth) {
            super(new Marker());
            String name = name();
            Context.begin(name);
            began(name);
            way(depth);
            Context.end();
            ended();
            keep(new Marker());
        }
    }

    private static void reflected(int depth) {
        try {
            Transacts.class.getDeclaredMethod("tried", int.class).invoke(null, depth);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void sorted(int depth) {
        List<Integer> list = new ArrayList<>(List.of(2, 1));
        list.sort((a, b) -> {
            Context.begin("sort");
            began("sort");
            way(depth);
            Context.end();
            ended();
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
            began("initialiser");
            ask(0);
            keep(new Marker());
            Context.end();
            ended();
            return 1;
        }

        /** Calls something before it begins one, in the same context as the invocation that has thrown. */
        private static void once(int i, int depth) {
            ask(0);
            sorted(depth - 1);
            keep(new Marker());
            Context.begin("once");
            began("once");
            ask(0);
            sorted(depth - 1);
            if (i < 2) {
                throw new IllegalStateException();
            }
            Context.end();
            ended();
        }
    }

    /** Transactions inside each other, deeper than stacks are reported. */
    private static void recursive(int depth) {
        Context.begin(depth % 2 == 0 ? "even" : "odd");
        began(depth % 2 == 0 ? "even" : "odd", 0);
        keep(new Marker());
        if (depth > 0) {
            recursive(depth - 1);
        }
        Context.end();
        ended();
        keep(new Marker());
    }
}
