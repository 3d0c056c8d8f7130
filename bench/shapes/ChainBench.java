/**
 * What strings cost that are concatenated: by builders, or, without the first option, by invokedynamic.
 *
 * <pre>javac -XDstringConcat=inline -d FOLDER *.java; java -cp FOLDER ChainBench</pre>
 */
public final class ChainBench {
    static String first = String.valueOf("first".toCharArray());
    static String second = String.valueOf("second".toCharArray());
    static Object sink;

    private ChainBench() {}

    public static void main(String[] args) {
        Rounds.measure("chain", ChainBench::chains);
        Rounds.measure("two", ChainBench::twos);
        Rounds.measure("four", ChainBench::fours);
        Rounds.measure("thenArray", ChainBench::thenArrays);
        Rounds.measure("oneOfTwo", ChainBench::oneOfTwos);
        Rounds.measure("nested", ChainBench::nesteds);
        Rounds.measure("local", ChainBench::locals);
        Rounds.measure("linear", ChainBench::linears);
        Rounds.measure("added", ChainBench::addeds);
    }

    private static void chains() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = chain(i);
        }
    }

    private static Object chain(int i) {
        return first + i + "x";
    }

    private static void twos() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = two();
        }
    }

    private static Object two() {
        return first + second;
    }

    private static void fours() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = four(i);
        }
    }

    private static Object four(int i) {
        return first + ": " + i + ", " + second + ": " + (i & 15);
    }

    private static void thenArrays() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = thenArray(i);
        }
    }

    private static Object thenArray(int i) {
        String s = first + i + "x";
        return new int[s.length()];
    }

    private static void oneOfTwos() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = oneOfTwo(i);
        }
    }

    private static Object oneOfTwo(int i) {
        return i % 3 == 0 ? first + i : first + "-" + i;
    }

    private static void nesteds() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = nested(i);
        }
    }

    private static Object nested(int i) {
        String inner = first + i;
        return "(" + inner + ")";
    }

    private static void locals() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = local(i);
        }
    }

    private static Object local(int i) {
        StringBuilder b = new StringBuilder();
        b.append(first);
        b.append(i);
        b.append("x");
        return b.toString();
    }

    private static void linears() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = linear(i);
        }
    }

    private static Object linear(int i) {
        StringBuilder b = new StringBuilder();
        b = b.append(first).append(i);
        return b.append("x").toString();
    }

    private static void addeds() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = added(i);
        }
    }

    private static Object added(int i) {
        String s = first;
        for (int k = 0; k < 3; k++) {
            s += k;
        }
        return s;
    }
}
