import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/** Prints how many threads the VM's thread dump has that it does not show to programs, but for Mallard's. */
public class OwnThreads {
    public static void main(String[] args) throws Exception {
        String dump = (String) ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "threadPrint",
            new Object[] { new String[0] }, new String[] { String[].class.getName() });
        Set<String> shown = new HashSet<>(Set.of("mallard"));
        for (Thread t : Thread.getAllStackTraces().keySet()) shown.add(t.getName());
        int own = 0;
        for (Matcher m = Pattern.compile("(?m)^\"(.*)\" #\\d+ ").matcher(dump); m.find(); ) {
            if (!shown.contains(m.group(1))) own++;
        }
        System.out.println(own);
    }
}
