import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;

/**
 * Virtual threads that are parked nearly all of the time, with stacks of different depths, each of which lies in the
 * heap then. In each round every one makes an object, and there are collections: young ones, full ones, and with G1 of
 * old regions. It ends with a histogram behind a full collection, when all threads are parked again. Arguments: how many
 * threads, and rounds.
 */
public class Chunks {
    static final class Made {
        int round;
    }

    static final class Local {
        int[] below = new int[3];
    }

    static final byte[][] replaced = new byte[20_000][];
    static volatile int round;
    static volatile CountDownLatch done;
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[1]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            int depth = i % 20;
            threads.add(Thread.ofVirtual().start(() -> live(depth, rounds)));
        }
        for (int r = 1; r <= rounds; r++) {
            done = new CountDownLatch(threads.size());
            round = r;
            threads.forEach(LockSupport::unpark);
            done.await();
            fill(r);
            if (r % 2 == 0) {
                System.gc();
            }
        }
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        System.gc();
        System.out.print(ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[] {"-all"}}, new String[] {String[].class.getName()}));
    }

    static int live(int depth, int rounds) {
        if (depth > 0) {
            return live(depth - 1, rounds) + depth;
        }
        Local local = new Local();
        for (int r = 1; r <= rounds; r++) {
            await(r);
            sink = new Made();
            done.countDown();
        }
        await(rounds + 1);
        return local.below[0];
    }

    static void await(int until) {
        while (round < until) {
            LockSupport.park();
        }
    }

    /** Garbage, some of which gets old first. */
    static void fill(int r) {
        int at = r;
        for (int i = 0; i < 40_000; i++) {
            at = (int) (at * 48_271L % Integer.MAX_VALUE);
            replaced[at % replaced.length] = new byte[at % 600];
            sink = new byte[600];
        }
    }
}
