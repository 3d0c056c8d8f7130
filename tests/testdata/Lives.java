import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes objects of which some are kept, and says how many copies there are among what is made and among what is kept,
 * by the contents that these have when they are made and when they are kept for long. Arguments: objects of each kind,
 * bytes that are made beside each, full collections meanwhile.
 */
public class Lives {
    static final class Both { // equal ones live as often as others
        final int value;

        Both(int value) {
            this.value = value;
        }
    }

    static final class Singles { // nine of ten are copies; what lives is one of each
        final int value;

        Singles(int value) {
            this.value = value;
        }
    }

    static final class Copies { // one of ten are copies, all of these live, and no others
        final int value;

        Copies(int value) {
            this.value = value;
        }
    }

    static final class Changed { // all are equal when they are made; what is kept differs soon
        int value;
    }

    static final class Dropped { // all are equal, and none lives
        final int value = 1;
    }

    static final List<Object> kept = new ArrayList<>();
    static final Object[] replaced = new Object[3000]; // by one another: garbage among what is old
    static Object sink;
    static final Map<String, Map<Integer, Integer>> made = new HashMap<>(), lived = new HashMap<>();

    static void note(Map<String, Map<Integer, Integer>> in, String kind, int contents) {
        in.computeIfAbsent(kind, k -> new HashMap<>()).merge(contents, 1, Integer::sum);
    }

    static void both(int i) {
        int value = i % 5 < 4 ? -1 : i;
        Both b = new Both(value);
        note(made, "Both", value);
        if (i % 3 == 0) {
            kept.add(b);
            note(lived, "Both", value);
        }
        sink = b;
    }

    static void singles(int i) {
        int value = i / 10;
        Singles s = new Singles(value);
        note(made, "Singles", value);
        if (i % 10 == 0) {
            kept.add(s);
            note(lived, "Singles", value);
        }
        sink = s;
    }

    static void copies(int i) {
        int value = i % 10 == 0 ? -1 : i;
        Copies c = new Copies(value);
        note(made, "Copies", value);
        if (i % 10 == 0) {
            kept.add(c);
            note(lived, "Copies", value);
        }
        sink = c;
    }

    static void changed(int i) {
        Changed c = new Changed();
        note(made, "Changed", i % 4 == 0 ? i : 0);
        if (i % 4 == 0) {
            c.value = i + 1;
            kept.add(c);
            note(lived, "Changed", i);
        }
        sink = c;
    }

    static void dropped(int i) {
        sink = new Dropped();
        note(made, "Dropped", 1);
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]), beside = Integer.parseInt(args[1]), full = Integer.parseInt(args[2]);
        for (int i = 0; i < n; i++) {
            both(i);
            singles(i);
            copies(i);
            changed(i);
            dropped(i);
            sink = new byte[beside]; // so that there are collections
            replaced[i * 7919 % replaced.length] = new byte[2000];
            if (full > 0 && i % (n / full) == n / full - 1) System.gc();
        }
        for (int i = 0; i < 64 << 10; i++) sink = new byte[1 << 10]; // so that what is kept comes through one
        for (String kind : made.keySet()) {
            Map<Integer, Integer> all = made.get(kind), of = lived.getOrDefault(kind, Map.of());
            System.out.println(kind + " " + sum(all) + " " + all.size() + " " + sum(of) + " " + of.size());
        }
    }

    static int sum(Map<Integer, Integer> of) {
        int sum = 0;
        for (int n : of.values()) sum += n;
        return sum;
    }
}
