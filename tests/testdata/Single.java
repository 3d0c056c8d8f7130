import java.util.ArrayList;
import java.util.List;

/**
 * Makes objects in two methods, keeps every tenth, and prints the identity hash of some of those that live: before
 * collections, some when they are born. It says whether a hash has changed.
 */
public class Single {
    static class Node {
        final Object a;

        Node(Object a) {
            this.a = a;
        }
    }

    static class Wide {
        long a, b, c, d;
    }

    static final List<Object> kept = new ArrayList<>();
    static final List<Integer> hashes = new ArrayList<>();
    static final List<Object> asked = new ArrayList<>();
    static volatile Object sink;

    static Object node(int i) {
        return new Node(null);
    }

    static Object wide(int i) {
        return new Wide();
    }

    static Object ints(int i) {
        return new int[i % 100];
    }

    static void ask(Object o) {
        asked.add(o);
        hashes.add(System.identityHashCode(o));
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        byte[][] large = new byte[3][];
        for (int i = 0; i < rounds; i++) {
            Object[] made = {node(i), wide(i), ints(i)};
            sink = made;
            if (i % 10 == 0) {
                kept.add(made);
            }
            if (i % 1000 == 0) { // at once
                ask(made[i / 1000 % 3]);
            }
            if (i % 20_000 == 0) {
                large[i / 20_000 % 3] = new byte[1_500_000];
                for (int j = 0; j < kept.size(); j += 5) { // dead, some of them when they are old
                    kept.set(j, null);
                }
            }
            if (i % 100_000 == 50_000) {
                System.gc();
                for (int j = 1; j < kept.size(); j += 500) { // when they have their hash from elsewhere
                    if (kept.get(j) != null) {
                        ask(((Object[]) kept.get(j))[j / 500 % 3]);
                    }
                }
            }
        }
        sink = null;
        int changed = 0;
        for (int i = 0; i < asked.size(); i++) {
            Object o = asked.get(i);
            if (System.identityHashCode(o) != hashes.get(i)) {
                changed++;
            }
            String method = o instanceof Node ? "node" : o instanceof Wide ? "wide" : "ints";
            int length = o instanceof int[] ? ((int[]) o).length : -1;
            System.out.println("asked " + Integer.toHexString(hashes.get(i)) + " " + method + " " + length);
        }
        System.gc();
        System.out.println(changed + " hashes have changed");
    }
}
