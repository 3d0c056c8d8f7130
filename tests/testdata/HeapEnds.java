import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Ways in which a heap is used hard, and in which programs end meanwhile. */
public class HeapEnds {
    static volatile Object sink;
    static List<Object> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "full":
                fill();
                allocate(100_000);
                break;
            case "collected all the time":
                for (int i = 0; i < 150; i++) {
                    sink = new Object();
                    System.gc();
                }
                break;
            case "no room to survive":
                replace();
                break;
            case "exit":
                inDaemons();
                System.exit(5);
                break;
            case "halt":
                inDaemons();
                Runtime.getRuntime().halt(7);
                break;
            default: // until it is killed
                allocate(10_000_000);
                System.out.println("goes on");
                allocate(Long.MAX_VALUE);
        }
        System.out.println("done");
    }

    static void fill() {
        try {
            while (true) {
                kept.add(new byte[100_000]);
            }
        } catch (OutOfMemoryError e) {
            kept = null;
        }
    }

    static void allocate(long times) {
        for (long i = 0; i < times; i++) {
            sink = new byte[100];
        }
    }

    /** Most of the heap lives, and dies in no order. */
    static void replace() {
        Object[] objects = new Object[190_000];
        int at = 1;
        for (int i = 0; i < 1_500_000; i++) {
            at = (int) ((at * 48_271L) % Integer.MAX_VALUE);
            objects[at % objects.length] = new byte[at % 300];
        }
    }

    static long collections() {
        long all = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            all += Math.max(0, collector.getCollectionCount());
        }
        return all;
    }

    static void inDaemons() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> allocate(Long.MAX_VALUE));
            thread.setDaemon(true);
            thread.start();
        }
        while (collections() < 12) {
            Thread.sleep(5);
        }
    }
}
