import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ObjectName;

/**
 * Makes known numbers of objects in two threads while a third looks at the heap in all ways that there are: by another
 * agent (agents/looks.c), which has to find what is kept, by histograms, heap dumps and dumps of threads with locks.
 * Arguments: how often it looks; whether histograms and dumps are of "all" or of what is "live", for which the JVM
 * collects; a folder; whether the agent follows references, too.
 */
public class Looked {
    static final class Made {
        Object next;
    }

    static final class Kept {
        Object of;
    }

    static native long iterate(Class<?> of);

    static native long follow(Class<?> of);

    static final int EACH = 500, KEEPS = 100; // of a round; one in
    static final List<Object> kept = new ArrayList<>();
    static final AtomicLong rounds = new AtomicLong();
    static volatile Object sink;
    static volatile boolean goesOn = true;

    public static void main(String[] args) throws Exception {
        int times = Integer.parseInt(args[0]);
        boolean live = args[1].equals("live");
        Thread[] makers = {new Thread(Looked::make), new Thread(Looked::make)};
        for (Thread maker : makers) {
            maker.start();
        }
        for (int i = 0; i < times; i++) {
            look(i, live, new File(args[2], i + ".hprof"), Boolean.parseBoolean(args[3]));
        }
        goesOn = false;
        for (Thread maker : makers) {
            maker.join();
        }
        sink = null;
        System.gc();
        System.out.println(rounds + " rounds, " + kept.size() + " kept");
    }

    static void make() {
        while (goesOn) {
            for (int i = 0; i < EACH; i++) {
                one();
                two(i);
                sink = new byte[i];
            }
            keep();
            rounds.incrementAndGet();
            Thread.yield();
        }
    }

    static void one() {
        sink = new Made();
    }

    static void two(int i) {
        Made made = new Made();
        made.next = i % KEEPS == 0 ? new Made[2] : null;
        sink = made;
        if (i % KEEPS == 0) {
            synchronized (kept) {
                kept.add(made);
            }
        }
    }

    static void keep() {
        for (int i = 0; i < 5; i++) {
            synchronized (kept) {
                kept.add(new Kept());
            }
        }
    }

    static void look(int i, boolean live, File file, boolean follows) throws Exception {
        int least;
        synchronized (kept) {
            least = kept.size();
        }
        switch (i % 5) {
            case 0 -> expect(iterate(Made.class) + iterate(Kept.class), least);
            case 1 -> expect(follows ? follow(Made.class) + follow(Kept.class) : least, least);
            case 2 -> invoke("gcClassHistogram", live ? new String[0] : new String[] {"-all"});
            case 3 -> {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.getPath(), live);
                expect(file.length(), 16L * least);
                file.delete();
            }
            default -> invoke("threadPrint", new String[] {"-l"});
        }
    }

    static void expect(long found, long least) {
        if (found < least) {
            throw new AssertionError(found + " are found of at least " + least);
        }
    }

    static void invoke(String command, String[] arguments) throws Exception {
        ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), command,
                new Object[] {arguments}, new String[] {String[].class.getName()});
    }
}
