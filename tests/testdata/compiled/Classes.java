import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** Calls whose code does not tell of what class the objects are that they make. Run by {@link Intrinsics}. */
class Classes {
    public static void main(String[] args) throws Throwable {
        Probe.runAll(Classes.class, args);
    }

    static class Animal implements Cloneable {
        int legs = 4;

        Animal() {}

        @Override
        public Object clone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    static class Duck extends Animal {
        long wings = 2;
        Object nest;

        Duck() {}
    }

    static class Mallard extends Duck {
        String head = "green";

        Mallard() {}
    }

    /** More classes at one call than a set of the thread's table has entries. */
    @Makes("byte[] 1, char[] 1, int[] 1, long[] 1, java.lang.String[] 1, int[][] 1")
    static class ArraysOfClasses extends Probe {
        final Class<?>[] elements = {byte.class, char.class, int.class, long.class, String.class, int[].class};

        Object round(int i) {
            Object last = null;
            for (Class<?> element : elements) {
                last = Array.newInstance(element, 3);
            }
            return last;
        }
    }

    @Makes("java.lang.String[][][] 1, java.lang.String[][] 2, java.lang.String[] 6")
    static class NestedArrays extends Probe {
        final int[] lengths = {2, 3, 1};

        Object round(int i) {
            return Array.newInstance(String.class, lengths);
        }
    }

    @Makes("java.lang.String[] 1, java.lang.Integer[] 1, java.lang.Object[] 1")
    static class CopiesOfClasses extends Probe {
        final Object[][] all = {{"a"}, new String[] {"b"}, new Integer[] {3}};

        Object round(int i) {
            Object last = null;
            for (Object[] each : all) {
                last = Arrays.copyOf(each, 2);
            }
            return last;
        }
    }

    @Makes("java.lang.String[] 2, java.lang.CharSequence[] 1")
    static class CopyOfType extends Probe {
        final Object[] from = {"a", "b", "c"};

        Object round(int i) {
            sink = Arrays.copyOf(from, 4, String[].class);
            sink = Arrays.copyOfRange(from, 1, 3, String[].class);
            return Arrays.copyOf(from, 2, CharSequence[].class);
        }
    }

    @Makes("java.lang.String[] 2")
    static class ToArray extends Probe {
        final ArrayList<String> list = new ArrayList<>(List.of("a", "b"));
        final List<String> unmodifiable = List.of("a", "b", "c");
        final String[] none = {};

        Object round(int i) {
            sink = list.toArray(none);
            return unmodifiable.toArray(none);
        }
    }

    @Makes("java.lang.String[] 1, java.lang.Object[] 1")
    static class CloneArrays extends Probe {
        final Object[][] all = {{"a"}, new String[] {"b"}};

        Object round(int i) {
            Object last = null;
            for (Object[] each : all) {
                last = each.clone();
            }
            return last;
        }
    }

    @Makes("Classes$Animal 1, Classes$Duck 1, Classes$Mallard 1")
    static class Clone extends Probe {
        final Animal[] all = {new Animal(), new Duck(), new Mallard()};

        Object round(int i) throws Throwable {
            Object last = null;
            for (Animal each : all) {
                last = each.clone();
            }
            return last;
        }
    }

    @Makes("Classes$Animal 1, Classes$Duck 1, Classes$Mallard 1, java.lang.Object[] 3")
    static class Construct extends Probe {
        final Constructor<?>[] all;

        Construct() throws ReflectiveOperationException {
            all = new Constructor<?>[] {Animal.class.getDeclaredConstructor(), Duck.class.getDeclaredConstructor(),
                Mallard.class.getDeclaredConstructor()};
        }

        Object round(int i) throws Throwable {
            Object last = null;
            for (Constructor<?> each : all) {
                last = each.newInstance();
            }
            return last;
        }
    }

    enum Color { RED, GREEN }

    @Makes("Classes$Color[] 1")
    static class Values extends Probe {
        Object round(int i) {
            return Color.values();
        }
    }

    interface Copier {
        Object[] copy(Object[] from, int length);
    }

    interface Maker {
        Object make(Class<?> element, int length);
    }

    /** References to what allocates: the JVM is given a hidden class that calls it. */
    @Makes("java.lang.String[] 2, short[] 1, int[] 1")
    static class References extends Probe {
        final Copier copier = Arrays::copyOf;
        final Maker maker = Array::newInstance;
        final IntFunction<String[]> strings = String[]::new;
        final UnaryOperator<int[]> cloner = int[]::clone;
        final Object[] names = new String[] {"a"};
        final int[] numbers = {1, 2};

        Object round(int i) {
            sink = copier.copy(names, 2);
            sink = maker.make(short.class, 3);
            sink = strings.apply(3);
            return cloner.apply(numbers);
        }
    }
}
