import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Makes objects and reads them, and knows how many are copies. Each method of Maker makes one kind, with a share of
 * objects that are equal; all others differ. Arguments: seconds, "runs" or "shuffled". Prints for each kind what share
 * the largest group has, and how many objects there are.
 */
public class Copied {
    static final int RUN = 40;

    static final class Point {
        final int x;
        int y;
        final long z;

        Point(int x, int y, long z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    /** Makes what is equal where same is true. */
    static final class Maker {
        private int different;

        Point fields0(boolean same) {
            return new Point(++different, different + 1, different);
        }

        Point fields50(boolean same) {
            return same ? pair(1) : pair(++different);
        }

        private Point pair(int x) {
            return new Point(x, x + 1, x);
        }

        Point fields65(boolean same) {
            int x = same ? 1 : ++different;
            return new Point(x, x + 1, x);
        }

        Point fields90(boolean same) {
            int x = same ? 1 : ++different;
            return new Point(x, x + 1, x);
        }

        Point fields100(boolean same) {
            return new Point(1, 2, 3);
        }

        Point mutated(boolean same) {
            return new Point(1, 2, 3);
        }

        Point passed(boolean same) {
            return new Point(4, 5, 6);
        }

        int[] ints0(boolean same) {
            return fill(new int[16], ++different);
        }

        int[] ints50(boolean same) {
            return fill(new int[16], same ? 1 : ++different);
        }

        int[] ints65(boolean same) {
            return fill(new int[16], same ? 1 : ++different);
        }

        int[] ints90(boolean same) {
            return fill(new int[16], same ? 1 : ++different);
        }

        int[] ints100(boolean same) {
            return fill(new int[16], 1);
        }

        int[] element(boolean same) {
            int[] a = fill(new int[24], 1);
            a[17] = ++different;
            return a;
        }

        /** As in fj-kmeans: sums of a cluster that has not changed since the last round. */
        double[] result(boolean same) {
            double[] a = new double[5];
            int x = same ? 1 : ++different;
            for (int i = 0; i < a.length; i++) {
                a[i] = x * 0.5 + i;
            }
            return a;
        }

        /** As in Lucene's query parser: a buffer that begins as the others do, and goes on otherwise. */
        char[] buffer(boolean same) {
            char[] a = new char[32];
            for (int i = 0; i < a.length; i++) {
                a[i] = "title:".charAt(i % 6);
            }
            int x = ++different;
            for (int i = 25; i < a.length; i++, x /= 10) {
                a[i] = (char) ('0' + x % 10);
            }
            return a;
        }

        /** A row of a sparse matrix in dense form. */
        double[] row(boolean same) {
            double[] a = new double[12];
            if (!same) {
                a[++different % a.length] = different;
            }
            return a;
        }

        private static int[] fill(int[] a, int x) {
            for (int i = 0; i < a.length; i++) {
                a[i] = x + i;
            }
            return a;
        }
    }

    static final class Reader {
        long read(Point p) {
            return p.x + p.y * 3L + p.z;
        }

        long read(int[] a) {
            long sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i];
            }
            return sum;
        }

        double read(double[] a) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i];
            }
            return sum;
        }

        long read(char[] a) {
            long sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i];
            }
            return sum;
        }
    }

    static final int[] SHARES = {50, 65, 90, 76};
    static final String[] KINDS = {"fields0", "fields50", "fields65", "fields90", "fields100", "mutated", "passed",
        "ints0", "ints50", "ints65", "ints90", "ints100", "element", "result", "buffer", "row"};

    private final Maker maker = new Maker();
    private final Reader reader = new Reader();
    private final Random random = new Random(1);
    private final boolean inRuns;
    private final boolean[] same = new boolean[SHARES.length];
    private final long[] equal = new long[SHARES.length];
    private long rounds;
    double sink;

    Copied(boolean inRuns) {
        this.inRuns = inRuns;
    }

    private void choose() {
        for (int i = 0; i < SHARES.length; i++) {
            if (!inRuns || rounds % RUN == 0) {
                same[i] = random.nextInt(100) < SHARES[i];
            }
            equal[i] += same[i] ? 1 : 0;
        }
        rounds++;
    }

    private void round(ArrayBlockingQueue<Point[]> others) throws InterruptedException {
        Point[] handed = new Point[200];
        for (int i = 0; i < handed.length; i++) {
            choose();
            sink += reader.read(maker.fields0(false)) + reader.read(maker.fields50(same[0]))
                + reader.read(maker.fields65(same[1])) + reader.read(maker.fields90(same[2]))
                + reader.read(maker.fields100(true));
            Point p = maker.mutated(true);
            p.y = (int) rounds;
            sink += reader.read(p);
            sink += reader.read(maker.ints0(false)) + reader.read(maker.ints50(same[0]))
                + reader.read(maker.ints65(same[1])) + reader.read(maker.ints90(same[2]))
                + reader.read(maker.ints100(true)) + reader.read(maker.element(false));
            sink += reader.read(maker.result(same[3])) + reader.read(maker.buffer(false))
                + reader.read(maker.row(same[2]));
            handed[i] = maker.passed(true);
        }
        others.put(handed);
    }

    private static void readOthers(ArrayBlockingQueue<Point[]> others) {
        Reader reader = new Reader();
        long sum = 0;
        try {
            for (Point[] handed = others.take(); handed.length > 0; handed = others.take()) {
                for (Point p : handed) {
                    sum += reader.read(p);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (sum == 42) {
            System.out.println(sum);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Copied copied = new Copied(args[1].equals("runs"));
        ArrayBlockingQueue<Point[]> others = new ArrayBlockingQueue<>(4);
        Thread thread = new Thread(() -> readOthers(others));
        thread.start();
        while (System.nanoTime() < end) {
            copied.round(others);
        }
        others.put(new Point[0]);
        thread.join();
        for (String kind : KINDS) {
            System.out.println(kind + " " + copied.share(kind) + " " + copied.rounds);
        }
    }

    private double share(String kind) {
        switch (kind) {
            case "fields50":
            case "ints50":
                return (double) equal[0] / rounds;
            case "fields65":
            case "ints65":
                return (double) equal[1] / rounds;
            case "fields90":
            case "ints90":
            case "row":
                return (double) equal[2] / rounds;
            case "result":
                return (double) equal[3] / rounds;
            case "fields100":
            case "ints100":
            case "passed":
                return 1;
            default:
                return 1.0 / rounds;
        }
    }
}
