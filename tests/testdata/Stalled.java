import java.io.IOException;

/**
 * Is in a pause most of the time: it keeps many objects, and a thread asks for one full collection after the
 * other. It prints its process, and for each line of its input the sum of what it keeps; then it exits with 7.
 */
class Stalled {
    static class Node {
        final Node next;
        final long value;

        Node(Node next, long value) {
            this.next = next;
            this.value = value;
        }
    }

    static Node first;
    static volatile Object sink;

    static void collect() throws InterruptedException {
        while (true) {
            for (int i = 0; i < 1000; i++) {
                sink = new byte[100];
            }
            System.gc();
            Thread.sleep(10); // or nothing else gets on
        }
    }

    static long sum() {
        long sum = 0;
        for (Node n = first; n != null; n = n.next) {
            sum += n.value;
        }
        return sum;
    }

    public static void main(String[] args) throws IOException {
        for (int i = 0; i < 300_000; i++) {
            first = new Node(first, i);
        }
        Thread collector = new Thread(() -> {
            try {
                collect();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        collector.setDaemon(true);
        collector.start();
        System.out.println(ProcessHandle.current().pid());
        for (int read = System.in.read(); read >= 0; read = System.in.read()) {
            System.out.println("sum " + sum());
        }
        System.exit(7);
    }
}
