import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** Prints all that reflection tells of its classes, again for each line that it reads. */
public class Reflected {
    @Retention(RetentionPolicy.RUNTIME) @interface Tag { String value() default "none"; int[] numbers() default {1, 2}; }
    @Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface Used { }
    @Tag("enum") enum Colour { RED { @Override int shade() { return 1; } }, BLUE; Colour() { } int shade() { return 0; } }
    record Pair<A extends Comparable<A>, B>(@Tag A left, @Deprecated List<? super B> right) {
        Pair { Objects.requireNonNull(left); }
    }
    sealed interface Shape permits Circle, Square { }
    static final class Circle implements Shape { final double radius = 1.5; static final long AREA = 7; }
    static non-sealed class Square implements Shape { @Tag protected transient volatile String name; }
    class Inner { Inner(int number, final String text) { } }
    interface Named { default String name(@Tag("p") String prefix) { return prefix + getClass().getSimpleName(); } }

    @Tag(value = "generic", numbers = {}) <T extends Exception & Runnable> Map<T, @Used String[]> generic(
        final List<? extends T> from, @Tag("named") @Used int count) throws T, java.io.IOException { return null; }

    static Object anonymous() { return new Named() { public String toString() { return name("anonymous "); } }; }
    static Object local(int argument) {
        class Local implements Named { int argument() { return argument; } }
        return new Local();
    }
    static final Object INITIALISED = new Object() { };
    static final Supplier<Object> LAMBDA = () -> new int[3];

    static void tell(Class<?> c) {
        System.out.println("class " + c + " | " + c.toGenericString() + " | " + c.getSimpleName() + " | " +
            c.getCanonicalName() + " | " + c.isAnonymousClass() + c.isLocalClass() + c.isMemberClass() + c.isRecord() +
            c.isSealed() + c.isEnum());
        System.out.println("  " + c.getEnclosingMethod() + " | " + c.getEnclosingConstructor() + " | " + c.getEnclosingClass() +
            " | " + c.getDeclaringClass() + " | " + c.getNestHost() + " | " + Arrays.toString(c.getPermittedSubclasses()) + " | " +
            c.getGenericSuperclass() + Arrays.toString(c.getGenericInterfaces()) + Arrays.toString(c.getAnnotations()) +
            Arrays.toString(c.getAnnotatedInterfaces()));
        List<String> lines = new ArrayList<>();
        for (Class<?> d : c.getDeclaredClasses()) lines.add("  declares " + d);
        for (Class<?> d : c.getNestMembers()) lines.add("  nest " + d);
        if (c.isRecord()) for (RecordComponent r : c.getRecordComponents())
            lines.add("  component " + r + r.getGenericType() + Arrays.toString(r.getAnnotations()) + r.getAccessor());
        for (Field f : c.getDeclaredFields())
            lines.add("  field " + f.toGenericString() + Arrays.toString(f.getAnnotations()) + f.getAnnotatedType());
        List<Executable> all = new ArrayList<>(Arrays.asList(c.getDeclaredMethods()));
        all.addAll(Arrays.asList(c.getDeclaredConstructors()));
        for (Executable e : all) {
            StringBuilder b = new StringBuilder("  method " + e.toGenericString() + Arrays.toString(e.getAnnotations()) +
                e.getAnnotatedReturnType() + Arrays.toString(e.getAnnotatedExceptionTypes()));
            for (Parameter p : e.getParameters())
                b.append("; ").append(p).append(p.getModifiers()).append(p.isNamePresent()).append(p.isImplicit())
                    .append(p.getParameterizedType()).append(p.getAnnotatedType()).append(Arrays.toString(p.getAnnotations()));
            if (e instanceof Method) b.append(" default ").append(describe(((Method) e).getDefaultValue()));
            lines.add(b.toString());
        }
        Collections.sort(lines);
        lines.forEach(System.out::println);
    }

    static String describe(Object o) { return o instanceof int[] ? Arrays.toString((int[]) o) : String.valueOf(o); }

    static void trace() {
        try {
            ((Object) "text").getClass().getMethod("none");
        } catch (NoSuchMethodException e) {
            StackTraceElement top = e.getStackTrace()[1];
            System.out.println(top);
        }
        new Reflected().new Inner(1, "").getClass();
    }

    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        do {
            for (Class<?> c : new Class<?>[] {Reflected.class, Tag.class, Colour.class, Colour.RED.getClass(), Pair.class, Shape.class,
                Circle.class, Square.class, Inner.class, Named.class, anonymous().getClass(), local(1).getClass(),
                INITIALISED.getClass(), HashMap.class, ArrayList.class, String.class, Thread.class,
                java.util.concurrent.TimeUnit.class, Map.Entry.class, java.util.concurrent.ConcurrentHashMap.class}) tell(c);
            trace();
            System.out.println(anonymous() + " " + ((Named) local(2)).name("local ") + " " + LAMBDA.get().getClass());
            System.out.println("told");
        } while (in.hasNextLine() && !in.nextLine().equals("end"));
    }
}
