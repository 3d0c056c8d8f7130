import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** As {@link Seed}, with what Java has had since: bootstrap methods, records, nests, annotations of all kinds. */
@NewerSeed.Marked(name = "all", numbers = {1, 2}, type = NewerSeed.class, kind = NewerSeed.Kind.LARGE,
    nested = @NewerSeed.Nested('x'))
public sealed class NewerSeed<T extends Comparable<T>> permits NewerSeed.Derived {
    enum Kind { SMALL, LARGE }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Nested {
        char value() default 'a';
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER, ElementType.FIELD, ElementType.TYPE_USE})
    @interface Marked {
        String name() default "";
        int[] numbers() default {};
        Class<?> type() default Object.class;
        Kind kind() default Kind.SMALL;
        Nested nested() default @Nested;
        double weight() default 1.5;
        long size() default 1L << 33;
    }

    record Pair(@Marked int left, @Marked(name = "right") List<String> right) {
        Pair {
            right = List.copyOf(right);
        }
    }

    static final class Derived extends NewerSeed<String> {
        Derived(String s) {
            super(s);
        }
    }

    private @Marked(weight = 3) T value;

    NewerSeed(T value) {
        this.value = value;
    }

    <U extends T> boolean isLess(@Marked U other) throws IllegalStateException {
        return value.compareTo(other) < 0;
    }

    static String made(Object o, int n) {
        Supplier<int[]> array = () -> new int[n];
        Function<Integer, StringBuilder> builder = StringBuilder::new;
        @Marked Object[] all = {array.get().length, builder.apply(n).append(n), "n " + n + o};
        return Arrays.toString(all);
    }

    static int matched(Object o) {
        if (o instanceof Pair p && p.left() > 1) {
            return p.right().size() + new Pair(p.left() - 1, List.of("a", "b")).hashCode();
        }
        return switch (o.toString()) {
            case "one" -> 1;
            case "two" -> new long[2].length;
            default -> Kind.values().length;
        };
    }

    /** What the driver calls. */
    public static String run() {
        Derived d = new Derived("m");
        Pair pair = new Pair(7, List.of("c"));
        return made(pair, 3) + matched(pair) + matched("one") + matched("two") + matched(Kind.LARGE) + d.isLess("n")
            + pair.equals(new Pair(7, List.of("c")));
    }
}
