import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Type annotations at every kind of place inside a body, with elements of every kind. */
public class Annotated {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Seen {
        int n() default 0;
        String[] names() default {};
        Class<?> type() default Object.class;
        ElementType kind() default ElementType.FIELD;
        Deprecated inner() default @Deprecated;
        double d() default 1;
    }

    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.CLASS)
    @interface Hidden { long value(); }

    static class Resource implements AutoCloseable {
        public void close() { System.out.println("close"); }
    }

    static <T> @Seen T same(T t) { return t; }

    static int count(Object o, int n) {
        @Seen(n = 1, names = {"a", "b"}) String text = "text";
        if (o instanceof @Seen(type = String.class) String) {
            @Hidden(5) String cast = (@Hidden(6) String) o;
            text += cast;
        }
        List<@Seen String> list = new @Seen(kind = ElementType.METHOD) ArrayList<@Hidden(7) String>();
        Supplier<List<String>> made = @Seen ArrayList<String>::new;
        Function<Object, String> printed = @Seen Object::toString;
        try (@Seen Resource resource = new @Seen(inner = @Deprecated) Resource()) {
            list.addAll(made.get());
            list.add(printed.apply(Annotated.<@Seen(d = 2) Object>same(o)));
            if (n > 2) {
                throw new IllegalStateException();
            }
        } catch (@Seen(n = 9) IllegalStateException e) {
            @Seen int[] @Hidden(8) [] grid = new @Seen int @Hidden(9) [n][n];
            return grid.length + list.size();
        }
        return text.length();
    }

    public static void main(String[] args) {
        for (int n = 0; n < 5; n++) {
            System.out.println(count("word", n) + " " + count(n, n));
        }
    }
}
