import java.util.ArrayList;
import java.util.List;
import mallard.Context;

/**
 * Enters and leaves transactions in methods that return, as interceptors do, under callers that make things before, between and behind. The arguments say how often it asks for contexts, and how the
 * program ends.
 */
public class Intercepts extends Ledger {
    /** Leaves a method when something is over that it does not know. */
    private static final class Over extends RuntimeException {
        Over() {
            super(null, null, false, false);
        }
    }

    public static void main(String[] args) throws Exception {
        ways = List.of(Ledger::make, Ledger::ask, Intercepts::filtered, Intercepts::failing, Intercepts::inside, Intercepts::forgotten, Intercepts::unmatched, Intercepts::polled, Intercepts::begun,
                Intercepts::across, Intercepts::reflected, Intercepts::sorted, Intercepts::loaded, Intercepts::initialised, Intercepts::constructed, Intercepts::branches, Intercepts::deep,
                Intercepts::left, Intercepts::arrays, Intercepts::same);
        rounds(Integer.parseInt(args[0]), 3, 0);
        deepest(1);
        Context.exit("never");
        Object one = keep(new Marker()); // the first frame of all is on both sides, too
        end(args[1], () -> {
            before("last");
            note(args[1].equals("return") ? 1 : 0);
        });
        kept = new Object[] {one, new Marker()};
    }

    private static String name() {
        return "name " + random.get().nextInt(4);
    }

    // The interceptor: its methods return.

    private static void before(String name) {
        keep(new Marker());
        Context.enter(name);
        entered(name);
        keep(new Marker());
    }

    private static void after(String name) {
        keep(new Marker());
        Context.exit(name);
        exited(name);
        keep(2, new Marker[] {new Marker(), new Marker()});
    }

    /** What a framework does. All of its own are on one path, and in three transactions. */
    private static void filtered(int depth) {
        String name = name();
        Object one = keep(new Marker());
        before(name);
        Object two = keep(new Marker());
        way(depth);
        Object three = keep(new Marker[] {new Marker()});
        after(name);
        keep(List.of(one, two, three, new Marker()));
        way(depth - 1);
    }

    /** What is called fails, and what the caller makes behind it is never made. */
    private static void failing(int depth) {
        for (int i = 0; i < 3; i++) {
            String name = name();
            before(name);
            try {
                fails(depth, i);
                keep(new Marker());
            } catch (Over e) {
                keep(new Marker());
            } finally {
                after(name);
            }
        }
    }

    private static void fails(int depth, int i) {
        Object a = keep(new Marker());
        String name = name();
        before(name);
        Object b = keep(new Marker());
        fail(depth, i);
        keep(2, new Object[] {a, b, new Marker(), new Marker()});
        after(name);
        keep(new Marker());
    }

    private static void fail(int depth, int i) {
        Object a = keep(new Marker());
        way(depth);
        if (i != 1) {
            after(name());
            throw new Over();
        }
        keep(new Object[] {a, new Marker()});
    }

    private static void inside(int depth) {
        String outer = name(), inner = name();
        before(outer);
        way(depth);
        before(inner);
        keep(new Marker());
        way(depth);
        after(inner);
        keep(new Marker());
        after(outer);
        way(depth - 1);
    }

    /** Entered, and not left but with what is around it. */
    private static void forgotten(int depth) {
        before("around");
        before("forgotten");
        way(depth);
        before("forgotten");
        keep(new Marker());
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
        Object one = keep(new Marker());
        switches(name, depth, true);
        Object two = keep(new Marker());
        switches(name, depth - 1, false);
        keep(new Object[] {one, two, new Marker()});
    }

    private static void switches(String name, int depth, boolean enter) {
        Object one = keep(new Marker());
        if (enter) {
            before(name);
        } else {
            after(name);
        }
        keep(new Object[] {one, new Marker()});
        way(depth);
    }

    private static void polled(int depth) {
        for (int i = 0; i < 20; i++) {
            keep(new Marker());
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
        began(name);
        before(name());
        way(depth);
        keep(new Marker());
        if (random.get().nextBoolean()) {
            after(name());
        }
        way(depth);
        Context.end();
        ended();
        keep(new Marker());
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
        keep(new Marker());
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
                keep(new Marker());
            }
            if (i % 2 == 1) {
                after("loading");
            }
        }
    }

    private static final ClassLoader loader = new ClassLoader() {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            keep(new Marker());
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
            Object one = keep(new Marker());
            before("initialiser");
            ask(0);
            keep(new Object[] {one, new Marker()});
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
            keep(o);
            before("made");
        }
    }

    private static final class Made extends Base {
        Made(int depth) {
            super(new Marker());
            way(depth);
            keep(new Marker());
        }
    }

    /** Paths that are counted late, or early, depending on which. */
    private static void branches(int depth) {
        String name = name();
        for (int i = 0; i < 6; i++) {
            Object a = null, b = null;
            boolean some = random.get().nextBoolean(), others = random.get().nextBoolean();
            if (some) {
                a = keep(new Marker());
            }
            before(name);
            if (others) {
                b = keep(new Marker());
            } else {
                way(depth - 1);
            }
            if (some) {
                keep(3, new Marker[] {new Marker(), new Marker(), new Marker()});
                after(name);
            }
            keep(new Object[] {a, b, new Marker()});
            if (!some) {
                after(name);
            }
        }
    }

    private static void deep(int depth) {
        deeper(30 + random.get().nextInt(200), depth, name());
    }

    private static void deeper(int more, int depth, String name) {
        Object a = keep(new Marker());
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
        keep(new Object[] {a, new Marker()});
    }

    /** The frame that has entered is left by an exception, and nobody leaves the transaction. */
    private static void left(int depth) {
        Object a = keep(new Marker());
        try {
            leaves(depth);
        } catch (Over e) {
            keep(new Object[] {a, new Marker()});
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
        keep(new Marker());
    }

    private static void arrays(int depth) {
        String name = name();
        int n = random.get().nextInt(5);
        Object a = keep(new Object[] {new Marker[n], new Marker()});
        before(name);
        keep(new Object[] {a, new int[n], new Marker(), new byte[n][n]});
        after(name);
        keep(new Object[] {a, new Marker()});
    }

    private static void same(int depth) {
        if (random.get().nextInt(20) == 0) {
            deepest(depth);
        }
    }

    /** The same again and again, until it is as deep as it may be. */
    private static void deepest(int depth) {
        for (int i = 0; i < 20; i++) {
            before("same");
            if (i < 3) {
                way(depth - 1);
            }
            keep(new Marker());
        }
        for (int i = 0; i < 20; i++) {
            after("same");
        }
    }
}
