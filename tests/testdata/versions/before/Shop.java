import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import mallard.Context;

/** A program before a change. The argument says how many orders it handles. */
public class Shop {
    static final Map<Integer, Object> sessions = new HashMap<>();
    static Object keep;

    static void handle(int i) {
        Context.begin("order");
        Supplier<Object> order = () -> new int[8];
        keep = order.get();
        keep = new StringBuilder("order ").append(i % 100).toString();
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
