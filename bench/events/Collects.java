import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Has the JVM collect so many times, then waits so many milliseconds. Prints the nanoseconds that the collecting took,
 * on the wall and of processor time.
 */
public class Collects {
    static volatile byte[] made;

    public static void main(String[] args) throws Exception {
        OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        collect(beans, 200);
        long wall = System.nanoTime(), processor = os.getProcessCpuTime();
        collect(beans, Integer.parseInt(args[0]));
        System.out.println((System.nanoTime() - wall) + " " + (os.getProcessCpuTime() - processor));
        Thread.sleep(Integer.parseInt(args[1]));
    }

    static void collect(List<GarbageCollectorMXBean> beans, int times) {
        for (long end = count(beans) + times; count(beans) < end; ) {
            for (int i = 0; i < 64; i++) made = new byte[4096];
        }
    }

    static long count(List<GarbageCollectorMXBean> beans) {
        long n = 0;
        for (int i = 0; i < beans.size(); i++) n += beans.get(i).getCollectionCount();
        return n;
    }
}
