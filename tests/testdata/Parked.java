import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that are parked at the end, with an object on each one's stack. Argument: how many. */
public class Parked {
    static class Held { Object below = new Below(); }
    static class Below {}

    static void park(Object held, CountDownLatch ready) {
        ready.countDown();
        for (;;) {
            LockSupport.park();
            if (held.hashCode() == 0) System.out.println(held);
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        CountDownLatch ready = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            if (i == threads / 2) System.gc();
            Thread.ofVirtual().start(() -> park(new Held(), ready));
        }
        ready.await();
        Runtime.getRuntime().halt(0);
    }
}
