import java.util.Random;

/**
 * Makes nodes at two sites, most of which die at once, others later, and the first of them never. For each line of its
 * input it collects all garbage, and says which nodes it has.
 */
public class KeepsEach {
    static final Node[] kept = new Node[3_000];
    static volatile Object sink;
    static volatile int asked;
    static volatile boolean ended;

    static class Node {
        final boolean isFirst;
        long a;

        Node(boolean isFirst) {
            this.isFirst = isFirst;
        }
    }

    static Node first() {
        return new Node(true);
    }

    static Node second() {
        return new Node(false);
    }

    public static void main(String[] args) throws Exception {
        Thread input = new Thread(() -> {
            try {
                for (int c = System.in.read(); c >= 0; c = System.in.read()) {
                    asked++;
                }
            } catch (java.io.IOException e) {
                e.printStackTrace();
            }
            ended = true;
        });
        input.setDaemon(true);
        input.start();
        System.out.println("begun");
        for (int i = kept.length / 2; i < kept.length; i++) {
            kept[i] = i % 3 == 0 ? first() : second();
        }
        Random random = new Random(1);
        for (int answered = 0; !ended || answered < asked;) {
            if (answered < asked) {
                answered++;
                answer();
            }
            make(random);
            Thread.sleep(5);
        }
    }

    static void make(Random random) {
        for (int i = 0; i < 5_000; i++) {
            Node node = i % 3 == 0 ? first() : second();
            sink = node;
            if (i % 50 == 0) {
                kept[random.nextInt(kept.length / 2)] = node;
                kept[random.nextInt(kept.length / 2)] = null;
            }
            if (i % 500 == 0) { // before a walk comes to it
                System.identityHashCode(node);
            }
        }
        sink = null;
    }

    static void answer() {
        System.gc(); // now each has its number
        StringBuilder said = new StringBuilder("nodes");
        for (Node node : kept) {
            if (node != null) {
                said.append(' ').append(Integer.toHexString(System.identityHashCode(node)))
                        .append(node.isFirst ? ":first" : ":second");
            }
        }
        System.out.println(said);
    }
}
