import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import mallard.Context;

/** Asks for its context at random places, and prints number and stack, or the number alone where both were printed before. The argument says how often. */
public class Asks {
    private static final StringBuilder out = new StringBuilder();
    private static final Map<Long, String> printed = new HashMap<>();

    private static final List<IntConsumer> ways = List.of(Asks::ask, Asks::nested, Asks::thrown, Asks::constructed, Asks::reflected, n -> nested(n), Asks::sorted, Asks::initialised);
    private static final ThreadLocal<Random> random = ThreadLocal.withInitial(() -> new Random(1));
    private static int left;

    /** One thread in so many rounds: a thread that begins before the recorder has let go of the last one's page has contexts of its own. */
    private static final int THREADS = 8;

    public static void main(String[] args) throws Exception {
        left = Integer.parseInt(args[0]);
        for (int round = 0; left > 0; round++) {
            some(3);
            if (round % THREADS == 0) {
                Thread thread = new Thread(() -> some(4));
                thread.start();
                thread.join();
            }
            System.out.print(out);
            out.setLength(0);
        }
    }

    private static void some(int depth) {
        for (int i = 0; i < 20; i++) {
            way(depth);
        }
    }

    private static void way(int depth) {
        ways.get(depth <= 0 ? 0 : random.get().nextInt(ways.size())).accept(depth - 1);
    }

    private static void ask(int depth) {
        long id = Context.current(); StackTraceElement[] stack = Thread.currentThread().getStackTrace();
        StringBuilder line = new StringBuilder();
        for (int i = 1; i < stack.length; i++) {
            StackTraceElement f = stack[i];
            line.append(i == 1 ? ' ' : ';').append(f.getClassName()).append('.').append(f.getMethodName()).append(':').append(f.isNativeMethod() ? -1 : f.getLineNumber());
        }
        synchronized (out) {
            String text = line.toString();
            out.append(HexFormat.of().toHexDigits(id)).append(text.equals(printed.put(id, text)) ? "" : text).append('\n');
            left--;
        }
    }

    private static void nested(int depth) {
        way(depth);
        way(depth - 1);
    }

    private static void thrown(int depth) {
        try {
            fail(depth, 3);
        } catch (IllegalStateException e) {
            way(depth);
        }
    }

    private static void fail(int depth, int more) {
        if (more == 0) {
            way(depth);
            throw new IllegalStateException();
        }
        fail(depth, more - 1);
    }

    private static void constructed(int depth) {
        new Made(depth);
    }

    private static final class Made {
        Made(int depth) {
            way(depth);
        }
    }

    private static void reflected(int depth) {
        try {
            Asks.class.getDeclaredMethod("way", int.class).invoke(null, depth);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static void sorted(int depth) {
        List<Integer> list = new ArrayList<>(List.of(2, 1));
        list.sort((a, b) -> {
            way(depth);
            return a - b;
        });
    }

    private static void initialised(int depth) {
        if (Late.value > 0) {
            way(depth);
        }
    }

    private static final class Late {
        static final int value = start();

        private static int start() {
            ask(0);
            return 1;
        }
    }
}
