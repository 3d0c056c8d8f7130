import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes collections that stay empty and some that do not. Behind each line that makes them stands the class, how many
 * there are, and how many of these get an array.
 */
public class Empties {
    static final Object[] kept = new Object[100_000];
    static Object last;

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 50_000; i++) {
            last = new ArrayList<Object>(); // made: java.util.ArrayList 50000 0
        }
        for (int i = 0; i < 60_000; i++) {
            List<Object> list = new ArrayList<>(); // made: java.util.ArrayList 60000 3000
            last = list;
            if (i % 20 == 0) {
                list.add("");
            }
        }
        for (int i = 0; i < 2_000; i++) {
            last = new ArrayList<Object>(8); // made: java.util.ArrayList 2000 2000
        }
        for (int i = 0; i < 2_000; i++) {
            List<Object> list = new ArrayList<>(0); // made: java.util.ArrayList 2000 2000
            list.add("");
            last = list;
        }
        for (int i = 0; i < 2_000; i++) {
            last = new ArrayList<Object>(List.of("")); // made: java.util.ArrayList 2000 2000
        }
        for (int i = 0; i < 40_000; i++) {
            last = new HashMap<Object, Object>(); // made: java.util.HashMap 40000 0
        }
        for (int i = 0; i < 30_000; i++) {
            kept[i] = new LinkedHashMap<Object, Object>(16); // made: java.util.LinkedHashMap 30000 1500
        }
        Thread other = new Thread(Empties::fill);
        other.start();
        other.join();
        for (int i = 0; i < 1_000; i++) {
            Map<Object, Object> map = new HashMap<>(Map.of("", "")); // made: java.util.HashMap 1000 1000
            last = map;
        }
        for (int i = 0; i < 1_000; i++) {
            Map<Object, Object> map = new HashMap<>(); // made: java.util.HashMap 1000 1000
            last = map.computeIfAbsent("", key -> key);
        }
        for (int i = 0; i < 20_000; i++) {
            Map<Object, Object> map = new ConcurrentHashMap<>(); // made: java.util.concurrent.ConcurrentHashMap 20000 1000
            if (i % 20 == 0) {
                map.put("", "");
            }
            last = map;
        }
        for (int i = 0; i < 25_000; i++) {
            last = new HashSet<Object>(); // made: java.util.HashMap 25000 0
        }
    }

    @SuppressWarnings("unchecked")
    static void fill() {
        for (int i = 0; i < 30_000; i += 20) {
            ((Map<Object, Object>) kept[i]).put("", "");
        }
    }
}
