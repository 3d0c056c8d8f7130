import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;

/**
 * Fills its heap and empties it, and sets options of the JVM meanwhile: how much of the heap is to be free, and what the
 * JVM is to do besides. It says how much memory the JVM has committed when it is full and when it is empty, and what it
 * holds at the end. Arguments: rounds, objects that are made in each, the folder for heap dumps.
 */
public class Resizes {
    static final class Item {
        final Object part;

        Item(Object part) {
            this.part = part;
        }
    }

    static final class Part {
        long a, b, c;
    }

    static final class Kept {}

    static final HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    static final List<Object> kept = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]), objects = Integer.parseInt(args[1]);
        for (int round = 0; round < rounds; round++) {
            shrinks(false);
            set("SoftMaxHeapSize", round % 2 == 0 ? "40000000" : "100000000");
            Object[] filled = fill(objects);
            System.gc(); // so that all of it is old
            say("full");
            filled = keepSome(filled);
            System.gc(); // which the options do not let shrink it
            say("large");
            shrinks(true);
            if (round == 1) {
                set("HeapDumpPath", args[2]);
                set("HeapDumpBeforeFullGC", "true");
                set("HeapDumpAfterFullGC", "true");
            }
            System.gc();
            set("HeapDumpBeforeFullGC", "false");
            set("HeapDumpAfterFullGC", "false");
            say("empty");
            if (round == 2) {
                set("PrintConcurrentLocks", "true");
                invoke("threadPrint", "-l");
                set("PrintClassHistogram", "true");
                collectPeriodically();
            }
        }
        System.gc();
        System.out.println("kept " + kept.size());
    }

    static Object[] fill(int objects) {
        Object[] filled = new Object[objects];
        for (int i = 0; i < objects; i++) {
            filled[i] = new Item(new Part());
        }
        return filled;
    }

    static Object[] keepSome(Object[] of) {
        for (int i = 0; i < of.length; i += 1000) {
            kept.add(of[i]);
            kept.add(new Kept());
        }
        return null;
    }

    static void shrinks(boolean does) throws Exception {
        if (does) {
            set("MinHeapFreeRatio", "5");
            set("MaxHeapFreeRatio", "10");
        } else {
            set("MaxHeapFreeRatio", "100");
            set("MinHeapFreeRatio", "60");
        }
    }

    static void collectPeriodically() throws Exception {
        long before = collections(), deadline = System.nanoTime() + 60_000_000_000L;
        set("G1PeriodicGCInterval", "20");
        boolean periodic = ManagementFactory.getGarbageCollectorMXBeans().get(0).getName().startsWith("G1");
        while (periodic && collections() < before + 4 && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        set("G1PeriodicGCInterval", "0");
    }

    static long collections() {
        long all = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            all += Math.max(0, collector.getCollectionCount());
        }
        return all;
    }

    static void set(String option, String value) {
        jvm.setVMOption(option, value);
    }

    static void invoke(String command, String argument) throws Exception {
        ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), command,
                new Object[] {new String[] {argument}}, new String[] {String[].class.getName()});
    }

    static void say(String what) {
        System.out.println(what + " " + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted());
    }
}
