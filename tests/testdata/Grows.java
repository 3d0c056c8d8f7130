import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** For each line of its input keeps 1000 objects and 4 MB more, has the JVM collect, and says so. */
public class Grows {
    static final class Kept { long value; }

    static final List<Object> kept = new ArrayList<>();

    static void grow() {
        Object[] more = new Object[1000];
        java.util.Arrays.setAll(more, new Maker());
        kept.add(more);
        kept.add(new byte[4 << 20]);
    }

    static final class Maker implements IntFunction<Object> {
        @Override public Object apply(int i) { return new Kept(); }
    }

    public static void main(String[] args) throws java.io.IOException {
        for (int c, steps = 0; (c = System.in.read()) >= 0; ) {
            if (c == '\n') {
                grow();
                System.gc();
                System.out.println("step " + ++steps);
            }
        }
    }
}
