/**
 * What strings cost that invokedynamic concatenates, as javac has it by default.
 *
 * <pre>javac -d FOLDER Rounds.java ConcatBench.java; java -cp FOLDER ConcatBench</pre>
 */
public final class ConcatBench {
    static String first = String.valueOf("first".toCharArray());
    static String second = String.valueOf("second".toCharArray());
    static Object sink;

    private ConcatBench() {}

    public static void main(String[] args) {
        Rounds.measure("number", ConcatBench::numbers);
        Rounds.measure("two", ConcatBench::twos);
        Rounds.measure("four", ConcatBench::fours);
        Rounds.measure("oneOfTwo", ConcatBench::oneOfTwos);
        Rounds.measure("nested", ConcatBench::nesteds);
        Rounds.measure("added", ConcatBench::addeds);
    }

    private static void numbers() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = number(i);
        }
    }

    private static Object number(int i) {
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
