import java.util.ArrayList;
import java.util.List;

/** Asks for its context at random places. The argument says how often. */
public class Asks extends Ledger {
    /** One thread in so many rounds: a thread that begins before the recorder has let go of the last one's page has contexts of its own. */
    private static final int THREADS = 8;

    public static void main(String[] args) throws Exception {
        ways = List.of(Ledger::ask, Ledger::nested, Asks::thrown, Asks::constructed, Asks::reflected, n -> nested(n), Asks::sorted, Asks::initialised);
        deadEnds = 1;
        left = Integer.parseInt(args[0]);
        for (int round = 0; left > 0; round++) {
            some(3);
            if (round % THREADS == 0) {
                Thread thread = new Thread(() -> some(4), "the same again");
                thread.start();
                thread.join();
            }
            print();
        }
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
            Ledger.class.getDeclaredMethod("way", int.class).invoke(null, depth);
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
