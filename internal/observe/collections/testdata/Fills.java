import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** For each number in its input has the JVM collect so often, and says so. */
public class Fills {
    static volatile byte[] made;

    public static void main(String[] args) throws Exception {
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        for (int times = next(); times > 0; times = next()) {
            long end = count(beans) + times;
            while (count(beans) < end) {
                for (int i = 0; i < 64; i++) made = new byte[4096];
            }
            System.out.println("step " + times);
        }
    }

    /** The number in the next line; 0 at the end. */
    static int next() throws Exception {
        int n = 0;
        for (int c = System.in.read(); c >= '0'; c = System.in.read()) n = 10 * n + c - '0';
        return n;
    }

    static long count(List<GarbageCollectorMXBean> beans) {
        long n = 0;
        for (int i = 0; i < beans.size(); i++) n += beans.get(i).getCollectionCount();
        return n;
    }
}
