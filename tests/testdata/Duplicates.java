import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import javax.management.ObjectName;

/**
 * Makes strings with equal contents, and collects until the JVM has most of them share these, as long as that may take;
 * then it prints a histogram. Argument: how many.
 */
public class Duplicates {
    static final int CONTENTS = 4;
    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        byte[][] contents = new byte[CONTENTS][200];
        for (int i = 0; i < CONTENTS; i++) {
            contents[i][0] = (byte) ('a' + i);
        }
        String[] strings = new String[Integer.parseInt(args[0])];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = make(contents[i % CONTENTS]);
        }
        Field value = String.class.getDeclaredField("value");
        value.setAccessible(true);
        long deadline = System.nanoTime() + 60_000_000_000L;
        do {
            for (int i = 0; i < 30_000; i++) {
                sink = new byte[1000];
            }
        } while (shared(strings, value) < strings.length / 10 * 9 && System.nanoTime() < deadline);
        System.out.println(shared(strings, value) + " share their contents");
        System.out.print(ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[0]}, new String[] {String[].class.getName()}));
        sink = strings;
    }

    static String make(byte[] contents) {
        return new String(contents, StandardCharsets.ISO_8859_1);
    }

    static int shared(String[] strings, Field value) throws Exception {
        int shared = 0;
        for (int i = CONTENTS; i < strings.length; i++) {
            shared += value.get(strings[i]) == value.get(strings[i - CONTENTS]) ? 1 : 0;
        }
        return shared;
    }
}
