import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;

/** Has the JVM collect all of the heap when nothing says so before: objects of two sites are young then, others old. */
public class Unforeseen {
    static final class Node { }

    static final List<Object> kept = new ArrayList<>();
    static volatile Object sink;
    static Object old;

    static Node first() { return new Node(); }
    static Node second() { return new Node(); }

    static void garbage(int megabytes) {
        for (int i = 0; i < megabytes * 1024; i++) sink = new byte[1000];
    }

    /** For what there is no room, once a young collection has made all that it can. */
    static void large() {
        garbage(4);
        try {
            sink = new byte[34 << 20];
        } catch (OutOfMemoryError e) {
            System.out.println("no room");
        }
    }

    static void histogram() throws Exception {
        garbage(30); // they are in a survivor space then
        ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "gcClassHistogram", new Object[] {new String[0]}, new String[] {String[].class.getName()});
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 5000; i++) kept.add(first());
        if (args[0].equals("large")) old = new byte[20 << 20];
        System.gc();
        garbage(400); // of which nothing is promoted
        System.gc(); // they may lose their tag from here on: what has none has theirs
        for (int i = 0; i < 1000; i++) {
            kept.add(first());
            kept.add(second());
        }
        if (args[0].equals("large")) large(); else histogram();
        System.gc();
        System.out.println("kept " + kept.size());
    }
}
