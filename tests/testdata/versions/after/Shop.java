import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import mallard.Context;

/** The program after a change: all lines have moved, a lambda and an anonymous class are new, and it keeps sessions. */
public class Shop {
    static final Map<Integer, Object> sessions = new HashMap<>();
    static Object keep;
    static int traced;
    static boolean verbose;

    static void handle(int i) {
        Context.begin("order");
        Runnable trace = () -> traced++;
        trace.run();
        Supplier<Object> order = () -> new int[8];
        keep = order.get();
        sessions.put(i % 3, new byte[1000]);
        keep = new StringBuilder("order ").append(i % 100).toString();
        Runnable check = verbose ? new Runnable() {
            @Override
            public void run() {
                keep = new long[1];
            }
        } : null;
        Runnable audit = new Runnable() {
            @Override
            public void run() {
                keep = new long[4];
            }
        };
        audit.run();
        Context.end();
    }

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            handle(i);
        }
        System.out.println(sessions.size());
    }
}
