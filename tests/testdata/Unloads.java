import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Makes so many loaders, one after the other, each of which loads a class that makes one object of each of three classes.
 * Of one loader in ten one object lives on. Loaders are unloaded, 200 at a time. Before and behind that one method makes
 * nodes, which all live on, and another one makes rare objects, until there is input, of which only those behind do. At
 * the end all that lives is moved.
 */
public class Unloads {
    /** Loaded anew by each loader. */
    public static class Work implements IntFunction<short[]> {
        static Object sink;

        @Override
        public short[] apply(int n) {
            sink = new Work();
            sink = new int[n & 7];
            return new short[n & 7];
        }
    }

    static final class OwnLoader extends ClassLoader {
        @SuppressWarnings("unchecked")
        IntFunction<short[]> work(String name, byte[] bytes) throws Exception {
            return (IntFunction<short[]>) defineClass(name, bytes, 0, bytes.length).getConstructor().newInstance();
        }
    }

    static final class Node {
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    static Node nodes;

    static void makeNodes(int n) {
        for (int i = 0; i < n; i++) {
            nodes = new Node(nodes);
        }
    }

    static final class Rare {
        final Rare next;

        Rare(Rare next) {
            this.next = next;
        }
    }

    static Rare rare;

    static void makeRare(int n) {
        rare = null;
        for (int i = 0; i < n; i++) {
            rare = new Rare(rare);
        }
    }

    static final List<short[]> kept = new ArrayList<>();
    static short[] last;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { });
        other.start();
        other.join();
        String name = "Unloads$Work";
        byte[] bytes;
        try (var file = Unloads.class.getResourceAsStream(name + ".class")) {
            bytes = file.readAllBytes();
        }
        int loaders = Integer.parseInt(args[0]);
        makeNodes(2_000);
        System.gc();
        System.gc();
        makeNodes(8_000); // by now their tags may get lost
        System.gc();
        System.out.println("begun");
        int rares = 0;
        do {
            makeRare(100);
            rares += 100;
            System.gc();
        } while (System.in.available() == 0);
        for (int i = 0; i < loaders; i++) {
            last = new OwnLoader().work(name, bytes).apply(i);
            if (i % 10 == 0) {
                kept.add(last);
            }
            if (i % 200 == 199) {
                System.gc();
            }
        }
        makeNodes(1_000);
        makeRare(500);
        try {
            last = new short[Integer.parseInt(args[1]) << 19]; // more than there is: all is collected
            System.out.println("there is room");
        } catch (OutOfMemoryError e) {
            System.out.println(kept.size() + " " + (rares + 500));
        }
    }
}
