// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Objects that hidden classes make: those behind constructor references, method handles, and classes that the program hides itself. */
class HiddenClasses {
    static class Plain {
        long value = 1;
    }

    static class Sized {
        final int size;
        final Integer[] parts;

        Sized(int size) {
            this.size = size;
            parts = new Integer[size]; // alloc: java.lang.Integer[] x600
        }
    }

    static class Failing {
        Failing() {
            throw new IllegalStateException("always"); // alloc: java.lang.IllegalStateException x100
        }
    }

    class Inner {
        int inner = 2;
    }

    interface Making extends Supplier<Object>, Serializable {}

    static int references() {
        Supplier<Plain> plain = Plain::new; // unseen: HiddenClasses$Plain x300
        Supplier<Plain> again = Plain::new; // unseen: HiddenClasses$Plain x300
        IntFunction<Sized> sized = Sized::new; // unseen: HiddenClasses$Sized x300
        Function<Integer, Sized> unboxed = Sized::new; // unseen: HiddenClasses$Sized x300
        Supplier<Failing> failing = Failing::new; // unseen: HiddenClasses$Failing x100
        Making serializable = Plain::new; // unseen: HiddenClasses$Plain x300
        IntFunction<long[]> array = long[]::new; // alloc: long[] x300
        HiddenClasses outer = new HiddenClasses(); // alloc: HiddenClasses x1
        Supplier<Inner> inner = outer.supply();
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += plain.get().value + again.get().value + ((Plain) serializable.get()).value + inner.get().inner;
            sum += sized.apply(i % 7).size + unboxed.apply(i % 5).parts.length + array.apply(i % 3).length;
            if (i % 3 == 0) {
                try {
                    failing.get();
                } catch (IllegalStateException e) {
                    sum++;
                }
            }
        }
        return sum;
    }

    Supplier<Inner> supply() {
        return Inner::new; // alloc: HiddenClasses$Inner x300
    }

    static int handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle plain = lookup.findConstructor(Plain.class, MethodType.methodType(void.class));
        Constructor<Plain> constructor = Plain.class.getDeclaredConstructor(); // alloc: java.lang.Class[] x1
        Object[] none = new Object[0]; // alloc: java.lang.Object[] x1
        MethodHandle array = MethodHandles.arrayConstructor(short[].class);
        MethodHandle collect = lookup.findStatic(HiddenClasses.class, "count", MethodType.methodType(int.class, String[].class)).asCollector(String[].class, 2);
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += ((Plain) plain.invokeExact()).value; // unseen: HiddenClasses$Plain x300
            sum += ((short[]) array.invokeExact(i % 4)).length;
            sum += (int) constructor.newInstance(none).value; // unseen: HiddenClasses$Plain x300
            sum += (int) collect.invokeExact("a", "b");
        }
        return sum;
    }

    static int count(String[] strings) {
        return strings.length;
    }

    /** Loaded once, and once more as a hidden class. */
    static class Template implements Supplier<Object> {
        @Override
        public Object get() {
            Object[] made = new Object[2];
            for (int i = 0; i < 2; i++) {
                made[i] = new Plain(); // unseen: HiddenClasses$Plain x600
            }
            return made;
        }
    }

    static int hidden() throws IOException, ReflectiveOperationException {
        byte[] bytes;
        try (InputStream in = HiddenClasses.class.getResourceAsStream("HiddenClasses$Template.class")) {
            bytes = in.readAllBytes();
        }
        Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, false).lookupClass(); // alloc: java.lang.invoke.MethodHandles$Lookup$ClassOption[] x1
        Supplier<?> template = (Supplier<?>) hidden.getDeclaredConstructor().newInstance(); // alloc: java.lang.Class[] x1, java.lang.Object[] x1
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += ((Object[]) template.get()).length;
        }
        return sum;
    }

    public static void main(String[] args) throws Throwable {
        System.out.println("checksum " + (references() + handles() + hidden()));
    }
}
