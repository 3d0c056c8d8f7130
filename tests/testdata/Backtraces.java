import java.util.ArrayList;
import java.util.List;

/** Makes exceptions at two depths, and keeps some, and says how many pieces the JVM has recorded their stacks in. */
public class Backtraces {
    static final int FRAMES = 32; // of a piece

    static final List<Exception> kept = new ArrayList<>();
    static volatile Object sink;

    static Exception made(int depth) { return depth == 0 ? new Exception() : made(depth - 1); }

    static int pieces(Exception made) { return (made.getStackTrace().length + FRAMES - 1) / FRAMES; }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        int[] depths = {3, 40};
        int all = 0, held = 0;
        System.gc();
        for (int i = 0; i < rounds; i++) {
            for (int depth : depths) {
                Exception made = made(depth);
                boolean keep = i % 100 == 0;
                if (keep) kept.add(made);
                int pieces = i == 0 || keep ? pieces(made) : depth / FRAMES + 1;
                all += pieces;
                if (keep) held += pieces;
                sink = new byte[2000];
            }
        }
        System.gc();
        System.out.println(all + " " + held + " of " + kept.size());
    }
}
