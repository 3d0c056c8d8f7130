import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;

/** Makes objects that stay, objects that get old and die, and garbage; then prints what the JVM counts in its heap. */
public class Histogram {
    static final Map<Integer, Object> kept = new HashMap<>();
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        List<Object> old = new ArrayList<>();
        for (int i = 0; i < 400_000; i++) {
            kept.put(i % 7_000, i % 3 == 0 ? new int[i % 100] : i % 3 == 1 ? "text " + i : List.of(i, new Object()));
            if (i % 10 == 0) {
                old.add(new StringBuilder().append(i));
            }
            if (old.size() > 5_000) {
                old.clear();
            }
            sink = new byte[i % 300];
            if (i % 50_000 == 0) {
                sink = new long[1 << 18];
            }
        }
        System.out.print(ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[0]}, new String[] {String[].class.getName()}));
    }
}
