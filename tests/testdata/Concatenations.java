import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Concatenates strings until the stack overflows, often inside of what concatenates. Prints what the last thread has
 * allocated meanwhile, in bytes, and how many times its stack has overflowed; the first one has all linked that the
 * other executes.
 */
class Concatenations implements Runnable {
    static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    static Object sink;
    static String first = String.valueOf("first".toCharArray());

    long allocated;
    int overflows;

    int deeper(int depth, long number, char sign) {
        sink = (depth & 1) == 0 ? first + depth : "<" + first + depth + number + sign + ">";
        return deeper(depth + 1, number, sign) + 1;
    }

    @Override
    public void run() {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < 200; round++) {
            try {
                deeper(0, round, '-');
            } catch (StackOverflowError expected) {
                overflows++;
            }
        }
        allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    public static void main(String[] args) throws InterruptedException {
        Concatenations last = null;
        for (String name : new String[] {"linking", "measured"}) {
            last = new Concatenations();
            Thread thread = new Thread(null, last, name, 200 << 10);
            thread.start();
            thread.join();
        }
        System.out.println(last.allocated + " " + last.overflows);
    }
}
