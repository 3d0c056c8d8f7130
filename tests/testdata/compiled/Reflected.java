import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

/** What is called by method handles and by reflection, and makes objects for its caller: constant, and variable. */
class Reflected {
    public static void main(String[] args) throws Throwable {
        Probe.runAll(Reflected.class, args);
    }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final MethodHandles.Lookup PUBLIC = MethodHandles.publicLookup();

    static MethodHandle handle(Class<?> of, String name, Class<?> returns, Class<?>... parameters) {
        try {
            return LOOKUP.findStatic(of, name, MethodType.methodType(returns, parameters));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static final MethodHandle COPY = handle(Arrays.class, "copyOf", Object[].class, Object[].class, int.class);

    @Makes("java.lang.String[] 1")
    static class ConstantCopy extends Probe {
        final Object[] from = new String[] {"a"};

        Object round(int i) throws Throwable {
            return (Object[]) COPY.invokeExact(from, 2);
        }
    }

    @Makes("java.lang.String[] 1, java.lang.Object[] 1, long[] 1")
    static class VariableCopies extends Probe {
        final MethodHandle[] all = {COPY,
            handle(Arrays.class, "copyOfRange", Object[].class, Object[].class, int.class, int.class),
            handle(Arrays.class, "copyOf", long[].class, long[].class, int.class)};
        final Object[] strings = new String[] {"a"};
        final Object[] objects = {"a", "b"};
        final long[] longs = {1};

        Object round(int i) throws Throwable {
            sink = (Object[]) all[0].invoke(strings, 3);
            sink = (Object[]) all[1].invoke(objects, 0, 1);
            return (long[]) all[2].invoke(longs, 3);
        }
    }

    @Makes("java.lang.String[] 1, java.lang.Object[] 1")
    static class TypedCopies extends Probe {
        final MethodHandle copy = handle(Arrays.class, "copyOf", Object[].class, Object[].class, int.class,
            Class.class);
        final MethodHandle range = handle(Arrays.class, "copyOfRange", Object[].class, Object[].class, int.class,
            int.class, Class.class);
        final Object[] from = {"a", "b"};

        Object round(int i) throws Throwable {
            sink = (Object[]) copy.invokeExact(from, 3, String[].class);
            return (Object[]) range.invokeExact(from, 0, 1, Object[].class);
        }
    }

    static final MethodHandle NEW_ARRAY = handle(Array.class, "newInstance", Object.class, Class.class, int.class);

    @Makes("short[] 1, java.lang.String[] 1")
    static class NewArrays extends Probe {
        Object round(int i) throws Throwable {
            sink = (Object) NEW_ARRAY.invokeExact((Class<?>) short.class, 3);
            return (Object) NEW_ARRAY.invokeExact((Class<?>) String.class, 2);
        }
    }

    @Makes("int[][] 1, int[] 2")
    static class NewNestedArrays extends Probe {
        final MethodHandle nested = handle(Array.class, "newInstance", Object.class, Class.class, int[].class);
        final int[] lengths = {2, 3};

        Object round(int i) throws Throwable {
            return (Object) nested.invokeExact((Class<?>) int.class, lengths);
        }
    }

    static class Sheep implements Cloneable {
        int a = 1;

        static MethodHandle cloner() {
            try {
                return MethodHandles.lookup().findVirtual(Sheep.class, "clone", MethodType.methodType(Object.class));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Dolly extends Sheep {
        long b = 2;

        @Override
        public Object clone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    @Makes("Reflected$Sheep 1, Reflected$Dolly 1, int[] 1, java.lang.String[] 1")
    static class Clones extends Probe {
        static final MethodHandle SHEEP = Sheep.cloner();
        final MethodHandle ints = PUBLIC.findVirtual(int[].class, "clone", MethodType.methodType(Object.class));
        final MethodHandle strings = PUBLIC.findVirtual(Object[].class, "clone", MethodType.methodType(Object.class));
        final Sheep sheep = new Sheep();
        final Sheep dolly = new Dolly();
        final int[] numbers = {1, 2, 3};
        final Object[] names = new String[] {"a"};

        Clones() throws ReflectiveOperationException {}

        Object round(int i) throws Throwable {
            sink = (Object) SHEEP.invokeExact(sheep);
            sink = (Object) SHEEP.invokeExact(dolly);
            sink = (Object) ints.invokeExact(numbers);
            return (Object) strings.invokeExact(names);
        }
    }

    static class Made {
        final long value = 1;

        public Made() {}
    }

    /** Invokers of methods that ask for their caller collect arguments. */
    @Makes("Reflected$Made 3, java.lang.Object[] 0..2")
    static class Constructors extends Probe {
        static final MethodHandle NEW;
        static final MethodHandle NEW_INSTANCE;

        static {
            try {
                NEW = LOOKUP.findConstructor(Made.class, MethodType.methodType(void.class));
                NEW_INSTANCE = LOOKUP.findVirtual(Constructor.class, "newInstance",
                    MethodType.methodType(Object.class, Object[].class)).asFixedArity();
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        final Constructor<?> constructor = Made.class.getDeclaredConstructor();
        final MethodHandle classes = LOOKUP.findVirtual(Class.class, "newInstance",
            MethodType.methodType(Object.class));

        Constructors() throws ReflectiveOperationException {}

        Object round(int i) throws Throwable {
            sink = (Made) NEW.invokeExact();
            sink = (Object) NEW_INSTANCE.invokeExact(constructor, (Object[]) null);
            return (Object) classes.invokeExact(Made.class);
        }
    }

    @Makes("java.lang.Object[] 1")
    static class Collector extends Probe {
        static final MethodHandle LENGTH = handle(Collector.class, "keep", int.class, Object[].class)
            .asCollector(Object[].class, 3);

        static int keep(Object[] all) {
            sink = all;
            return all.length;
        }

        Object round(int i) throws Throwable {
            int length = (int) LENGTH.invokeExact((Object) this, (Object) this, (Object) this);
            return length == 3 ? this : null;
        }
    }

    @Makes("int[] 1")
    static class ArrayConstructor extends Probe {
        static final MethodHandle INTS = MethodHandles.arrayConstructor(int[].class);

        Object round(int i) throws Throwable {
            return (int[]) INTS.invokeExact(5);
        }
    }

    @Makes("java.lang.String[] 2, java.lang.Object[] 2, java.lang.Integer 2, Reflected$Made 1")
    static class Methods extends Probe {
        final Method copy = Arrays.class.getMethod("copyOf", Object[].class, int.class);
        final Method newArray = Array.class.getMethod("newInstance", Class.class, int.class);
        final Method newInstance = Constructor.class.getMethod("newInstance", Object[].class);
        final Constructor<?> constructor = Made.class.getDeclaredConstructor();
        final Object[] from = new String[] {"a"};
        final Object[] none = {null};
        final Object two = 2;
        final Method length = String.class.getMethod("length");
        final String text = "ab".repeat(100);
        final Object[] nothing = {};

        Methods() throws ReflectiveOperationException {}

        Object round(int i) throws Throwable {
            sink = newInstance.invoke(constructor, none);
            sink = copy.invoke(null, from, two);
            sink = newArray.invoke(null, String.class, two);
            sink = length.invoke(text, nothing);
            return 1000 + i;
        }
    }

    @Makes("java.lang.Integer 1, java.lang.Long 1, java.lang.Boolean 1")
    static class Boxes extends Probe {
        final int[] numbers = {1, 2};
        final long[] longs = {1, 2};
        final boolean[] flags = {true};
        final Object[] objects = {"a", 1};

        Object round(int i) {
            sink = Array.get(numbers, 1);
            sink = Array.get(longs, 0);
            sink = Array.get(objects, 1);
            return Array.get(flags, 0);
        }
    }

    @Makes("java.lang.Integer 1")
    static class HandledBoxes extends Probe {
        static final MethodHandle GET = handle(Array.class, "get", Object.class, Object.class, int.class);
        final Object numbers = new int[] {1, 2};

        Object round(int i) throws Throwable {
            return (Object) GET.invokeExact(numbers, 1);
        }
    }

    /** 17 and 25 box by bytecode. */
    @Makes("java.lang.Integer 1, java.lang.Long 1")
    static class Fields extends Probe {
        int number = 1000;
        long other = 2000;
        final Field field = Fields.class.getDeclaredField("number");
        final Field second = Fields.class.getDeclaredField("other");

        Fields() throws ReflectiveOperationException {}

        Object round(int i) throws Throwable {
            sink = field.get(this);
            return second.get(this);
        }
    }

    @Makes("java.lang.Integer 1")
    static class VarHandles extends Probe {
        int number = 1000;
        final VarHandle handle = LOOKUP.findVarHandle(VarHandles.class, "number", int.class);

        VarHandles() throws ReflectiveOperationException {}

        Object round(int i) {
            return (Object) handle.getVolatile(this);
        }
    }
}
