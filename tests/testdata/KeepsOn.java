/**
 * Makes requests in threads that come and go, and keeps each for a while, until its input ends. Then it says how many.
 */
public class KeepsOn {
    static final Object[] kept = new Object[5_000];
    static volatile boolean ended;
    static int made;

    static class Request {
        final byte[] body = new byte[200];
    }

    public static void main(String[] args) throws Exception {
        Thread input = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                }
            } catch (java.io.IOException e) {
                e.printStackTrace();
            }
            ended = true;
        });
        input.setDaemon(true);
        input.start();
        System.out.println("begun");
        while (!ended) {
            Thread worker = new Thread(KeepsOn::work);
            worker.start();
            worker.join();
            Thread.sleep(5);
        }
        System.out.println(made);
    }

    static void work() {
        for (int i = 0; i < 10_000; i++) {
            kept[made++ % kept.length] = new Request();
        }
    }
}
