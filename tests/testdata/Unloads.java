import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Makes so many loaders, one after the other, each of which loads a class that makes one object of each of three
 * classes, and mostly one of another class of the loader's, of which there are three with different fields. Of one
 * loader in ten one object lives on. Loaders are unloaded, 200 at a time. Before and behind that one method makes nodes,
 * which all live on, and another one makes rare objects, until there is input, of which only those behind do. At the end
 * all that lives is moved. Between 200 loaders and the next it sleeps, where it is told for how many ms.
 */
public class Unloads {
    /** Loaded anew by each loader. */
    public static class Work implements IntFunction<short[]> {
        static Object sink;

        @Override
        public short[] apply(int n) {
            sink = new Work();
            sink = new int[n & 7];
            switch (shape(n)) {
                case 0: sink = new Numbers(); break;
                case 1: sink = new References(); break;
                case 2: sink = new Mixed();
            }
            return new short[n & 7];
        }
    }

    /** What it has in a field is no reference, another's is. */
    public static class Numbers {
        int a = 0x7a017a01, b = 0x6e7a01, c = -1;
    }

    /** References. */
    public static class References {
        Object a = "a", b = "b", c;
    }

    /** References, elsewhere. */
    public static class Mixed extends Numbers {
        Object d = "d";
        long e = -1;
        Object f = "f";
    }

    public static int shape(int n) {
        return n * 0x9E3779B1 >>> 30;
    }

    static final Map<String, byte[]> files = new HashMap<>();

    static final class OwnLoader extends ClassLoader {
        @SuppressWarnings("unchecked")
        IntFunction<short[]> work(int n) throws Exception {
            switch (shape(n)) {
                case 0: define("Numbers"); break;
                case 1: define("References"); break;
                case 2: define("Numbers"); define("Mixed");
            }
            return (IntFunction<short[]>) define("Work").getConstructor().newInstance();
        }

        private Class<?> define(String name) {
            byte[] bytes = files.get(name);
            return defineClass("Unloads$" + name, bytes, 0, bytes.length);
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
        for (String name : new String[] {"Work", "Numbers", "References", "Mixed"}) {
            try (var file = Unloads.class.getResourceAsStream("Unloads$" + name + ".class")) {
                files.put(name, file.readAllBytes());
            }
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
            last = new OwnLoader().work(i).apply(i);
            if (i % 10 == 0) {
                kept.add(last);
            }
            if (i % 200 == 199) {
                System.gc();
                Thread.sleep(args.length > 2 ? Integer.parseInt(args[2]) : 0);
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
