import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Vector;
import java.util.function.IntSupplier;

/**
 * Makes known numbers of objects that it could do without. A line says of what kind they are, what they are of, and how
 * many it makes of them each time; "in sites" where that is seen without contexts, too, and behind it what and how many
 * where that differs. main runs all methods 1,000 times.
 */
final class Wastes {
    static final String[] KEYS = "a b c d e f g h i j k l m n o p q r s t".split(" ");
    static Object kept;
    static int sum;

    enum Color { RED, GREEN }

    static final class Refused extends RuntimeException {
        Refused() {
            super("refused");
        }
    }

    static final class Range implements Iterable<Integer> {
        public Iterator<Integer> iterator() {
            return new RangeIterator();
        }
    }

    static final class RangeIterator implements Iterator<Integer> {
        private int next;

        public boolean hasNext() {
            return next < 1;
        }

        public Integer next() {
            return next++;
        }
    }

    public static void main(String[] args) {
        int[] numbers = {1, 2, 3};
        List<String> list = new ArrayList<>();
        list.add("a");
        Map<String, String> map = new HashMap<>();
        map.put("a", "b");
        for (int i = 0; i < 1000; i++) {
            boxes(1000 + i);
            iterates(list, map);
            captures(i);
            passes("a");
            grows();
            copies(numbers, list);
            empties();
            refuses();
            enumerates();
            concatenates("a");
            chains("a");
        }
    }

    static void boxes(int i) {
        kept = i; // waste: boxing java.lang.Integer 1
        kept = (long) i; // waste: boxing java.lang.Long 1
        kept = (char) i; // waste: boxing java.lang.Character 1
        kept = (double) i; // waste: boxing java.lang.Double 1
        kept = 1; // in the cache
    }

    static void iterates(List<String> list, Map<String, String> map) {
        for (String s : list) { // waste: iterators java.util.ArrayList$Itr 1
            sum += s.length();
        }
        for (String s : map.keySet()) { // waste: iterators java.util.HashMap$KeyIterator 1
            sum += s.length();
        }
        for (int i = 0; i < list.size(); i++) {
            sum += list.get(i).length();
        }
        for (int i : new Range()) { // waste: iterators Wastes$RangeIterator 1
            sum += i;
        }
    }

    static void captures(int i) {
        IntSupplier captured = () -> i; // waste: lambdas Wastes$$Lambda 1 in sites
        IntSupplier alone = () -> 1;
        sum += captured.getAsInt() + alone.getAsInt();
    }

    static void passes(String a) {
        takes(a, sum > 0 ? a : "b", a); // waste: varargs java.lang.Object[] 1 in sites
        kept = Arrays.asList(a, a); // waste: varargs java.util.Arrays.asList 1 in sites java.lang.String[] 1
        Object[] all = {a, a};
        takes(all);
        kept = new String[] {a};
    }

    static void takes(Object... all) {
        sum += all.length;
    }

    static void grows() {
        List<Object> list = new ArrayList<>();
        Vector<Object> vector = new Vector<>();
        StringBuilder text = new StringBuilder();
        Map<Object, Object> map = new HashMap<>();
        Map<Object, Object> computed = new HashMap<>();
        Map<Object, Object> present = new HashMap<>();
        Map<Object, Object> merged = new HashMap<>();
        Hashtable<Object, Object> table = new Hashtable<>();
        ArrayDeque<Object> deque = new ArrayDeque<>();
        PriorityQueue<String> queue = new PriorityQueue<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 20; i++) {
            list.add("x"); // waste: growth java.util.ArrayList 2
            vector.add("x"); // waste: growth java.util.Vector 1
            text.append("xx"); // waste: growth java.lang.StringBuilder 2
            map.put(KEYS[i], ""); // waste: growth java.util.HashMap 1
            computed.computeIfAbsent(KEYS[i], k -> ""); // waste: growth java.util.HashMap 1
            present.compute(KEYS[i], (k, v) -> ""); // waste: growth java.util.HashMap 1
            merged.merge(KEYS[i], "", (v, w) -> v); // waste: growth java.util.HashMap 1
            table.put(KEYS[i], ""); // waste: growth java.util.Hashtable 2
            deque.add("x"); // waste: growth java.util.ArrayDeque 1
            queue.add("x"); // waste: growth java.util.PriorityQueue 1
            out.write(i);
        }
        map = new HashMap<>(2);
        for (int i = 0; i < 8; i++) {
            map.merge(KEYS[i], "", (v, w) -> v); // waste: growth java.util.HashMap 3
        }
        map = new HashMap<>(50);
        for (int i = 0; i < 20; i++) {
            map.computeIfAbsent(KEYS[i], k -> "");
        }
        List<Object> large = new ArrayList<>(20);
        for (int i = 0; i < 20; i++) {
            large.add("x");
            out.write(i); // waste: growth java.io.ByteArrayOutputStream 1
        }
    }

    static void copies(int[] numbers, List<String> list) {
        kept = numbers.clone(); // waste: copies int[] 1 in sites
        kept = Arrays.copyOf(numbers, 2); // waste: copies java.util.Arrays.copyOf 1
        kept = Arrays.copyOf(KEYS, 3); // waste: copies java.lang.String[] 1 in sites
        kept = List.copyOf(list); // waste: copies java.util.List.copyOf 2
        kept = new ArrayList<>(list); // waste: copies java.util.ArrayList 2
        kept = new ArrayList<>();
        kept = new Vector<>(list); // waste: copies java.util.Vector 2
        kept = "abc".toCharArray(); // waste: copies java.lang.String.toCharArray 1
        kept = "abc".getBytes(); // waste: copies java.lang.String.getBytes 1
        kept = list.toArray(); // waste: copies java.util.ArrayList.toArray 1
    }

    static void empties() {
        kept = new int[0]; // waste: empty%arrays int[] 1 in sites
        kept = new String[0][1]; // waste: empty%arrays java.lang.String[][] 1 in sites
        takes(); // waste: empty%arrays java.lang.Object[] 1 in sites
        kept = new int[1];
    }

    static void refuses() {
        try {
            throw new Refused(); // waste: exceptions Wastes$Refused 6 in sites = 1
        } catch (Refused e) {
            sum++;
        }
        try {
            kept = Optional.empty().orElseThrow(); // waste: exceptions java.util.NoSuchElementException 6
        } catch (NoSuchElementException e) {
            sum++;
        }
        try {
            sum /= KEYS.length - 20; // waste: exceptions java.lang.ArithmeticException 6 in sites = 1
        } catch (ArithmeticException e) {
            sum++;
        }
    }

    static void enumerates() {
        for (Color c : Color.values()) { // waste: enum%values Wastes$Color 1
            sum += c.ordinal();
        }
    }

    static void concatenates(String a) {
        String all = ""; // to add to that makes no array
        for (int i = 0; i < 3; i++) {
            all += a; // waste: concatenation java.lang.String 5 in sites
            if (all.length() > 10) {
                throw new IllegalStateException("all is " + all);
            }
        }
        kept = a + all;
    }

    /** Has what javac makes of + for Java 8. */
    static void chains(String a) {
        String all = a;
        for (int i = 0; i < 3; i++) {
            all = new StringBuilder().append(all) // waste: concatenation java.lang.String 6 in sites = 3
                .append(sum > 0 ? a : "b").toString(); // waste: concatenation java.lang.String 6
            StringBuilder kept = new StringBuilder();
            kept.append(new StringBuilder().append(a));
            all = kept.toString();
        }
        for (int i = 0; i < 2; i++) {
            all = new StringBuilder(a) // waste: concatenation java.lang.String 4 in sites = 2
                .append("0123456789012345678901234567890") // waste: growth java.lang.StringBuilder 2
                .append(i).toString(); // waste: concatenation java.lang.String 4
            all = a;
        }
        kept = new StringBuilder().append(a).append(all).toString();
    }
}
