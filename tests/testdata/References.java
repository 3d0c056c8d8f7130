import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes objects by references to constructors, and by hidden classes of its own, from many places. Each takes the
 * stack on which it is made, as the JVM prints it. Prints, for each stack, how many were made there.
 */
public class References {
    static final Map<String, Integer> stacks = new TreeMap<>();

    static class Made {
        Made() {
            StringBuilder key = new StringBuilder();
            for (StackTraceElement e : new Throwable().getStackTrace())
                key.append(e.getClassName()).append('.').append(e.getMethodName()).append(':').append(e.getLineNumber())
                    .append('|');
            synchronized (stacks) {
                stacks.merge(getClass().getName() + "|" + key, 1, Integer::sum);
            }
        }
    }

    static class FromIndex extends Made { FromIndex(int i) { } }
    static class FromObject extends Made { FromObject(Object o) { } }
    static class Nested extends Made {
        final Made inner;
        Nested(Object o) {
            Function<Object, Made> make = FromObject::new;
            inner = make.apply(o);
        }
    }
    static class Initialised {
        static final List<FromIndex> list = ints(3, FromIndex::new);
        static void touch() { }
    }

    /** Is hidden: makes objects, and says who asks for them. */
    public static class Template implements Supplier<Object> {
        public Object get() { return new FromObject(null); }
    }

    static <T> List<T> ints(int n, IntFunction<T> make) {
        return IntStream.range(0, n).mapToObj(make).collect(Collectors.toList());
    }

    static void streams(int n) {
        ints(n, FromIndex::new);
        ints(n, i -> new FromIndex(i));
        List<Made> list = ints(n, Integer::valueOf).stream().map(FromObject::new).collect(Collectors.toCollection(
            ArrayList::new));
        list.stream().map(Nested::new).forEach(x -> { });
        list.parallelStream().sequential().map(FromObject::new).toArray(Made[]::new);
    }

    static void again(int depth, Supplier<Object> make) {
        if (depth > 0) again(depth - 1, make);
        make.get();
        make.get();
    }

    public static void main(String[] args) throws Throwable {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < n; i++) streams(5);
        streams(7);
        Initialised.touch();

        byte[] template = References.class.getResourceAsStream("References$Template.class").readAllBytes();
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClass(template, true);
        @SuppressWarnings("unchecked")
        Supplier<Object> own = (Supplier<Object>) hidden.lookupClass().getDeclaredConstructor().newInstance();
        for (int i = 0; i < n; i++) again(3, own);

        MethodHandle get = hidden.findVirtual(hidden.lookupClass(), "get", MethodType.methodType(Object.class));
        for (int i = 0; i < n; i++) get.invoke(own);
        var method = Supplier.class.getMethod("get");
        for (int i = 0; i < n; i++) method.invoke(own);

        Thread thread = new Thread(() -> streams(2));
        thread.start();
        thread.join();

        stacks.forEach((stack, times) -> System.out.println(times + "|" + stack));
    }
}
