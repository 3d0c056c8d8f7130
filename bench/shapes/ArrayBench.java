import java.util.ArrayList;
import java.util.Arrays;

/**
 * What arrays cost whose length is computed.
 *
 * <pre>javac -XDstringConcat=inline -d FOLDER *.java; java -cp FOLDER ArrayBench</pre>
 */
public final class ArrayBench {
    static byte[] source = new byte[24];
    static Object sink;
    static int sum;

    private ArrayBench() {}

    public static void main(String[] args) {
        Rounds.measure("int", ArrayBench::ints);
        Rounds.measure("byte", ArrayBench::bytes);
        Rounds.measure("copy", ArrayBench::copies);
        Rounds.measure("list", ArrayBench::lists);
        Rounds.measure("builder", ArrayBench::builders);
        Rounds.measure("filled", ArrayBench::filled);
    }

    private static void ints() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = new int[i & 15];
        }
    }

    private static void bytes() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = new byte[i & 31];
        }
    }

    private static void copies() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            sink = Arrays.copyOf(source, i & 15);
        }
    }

    private static void lists() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            ArrayList<Object> list = new ArrayList<>(i & 7);
            list.add("a");
            sink = list;
        }
    }

    private static void builders() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            StringBuilder b = new StringBuilder();
            b.append("abc");
            b.append(i & 1023);
            sink = b.toString();
        }
    }

    private static void filled() {
        for (int i = 0; i < Rounds.TURNS; i++) {
            int[] numbers = new int[8 + (i & 7)];
            for (int k = 0; k < numbers.length; k++) {
                numbers[k] = k * i;
            }
            for (int n : numbers) {
                sum += n;
            }
            sink = numbers;
        }
    }
}
