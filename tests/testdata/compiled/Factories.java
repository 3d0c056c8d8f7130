import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.StringConcatFactory;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What a program gets by calling the factories of call sites itself, and method handles of Object.clone. */
class Factories {
    public static void main(String[] args) throws Throwable {
        Probe.runAll(Factories.class, args);
    }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static MethodHandle concat(Class<?>... parameters) {
        try {
            return StringConcatFactory.makeConcat(LOOKUP, "concat", MethodType.methodType(String.class, parameters))
                .getTarget();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static MethodHandle recipe(String recipe, Class<?>... parameters) {
        try {
            return StringConcatFactory.makeConcatWithConstants(LOOKUP, "concat",
                MethodType.methodType(String.class, parameters), recipe).dynamicInvoker();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Makes("java.lang.String 1, byte[] 1")
    static class ConstantConcat extends Probe {
        static final MethodHandle JOIN = concat(String.class, int.class);
        final String text = "text";

        Object round(int i) throws Throwable {
            return (String) JOIN.invokeExact(text, i);
        }
    }

    @Makes("java.lang.String 3, byte[] 3")
    static class VariableConcats extends Probe {
        final MethodHandle[] all = {concat(Object.class, Object.class), recipe("a\1b\1", long.class, String.class),
            recipe("c\1", int.class)};
        final Object text = "text";

        Object round(int i) throws Throwable {
            sink = (String) all[0].invokeExact(text, text);
            sink = (String) all[1].invokeExact((long) i, "d");
            return (String) all[2].invokeExact(i);
        }
    }

    /** A number becomes a string, as by String.valueOf; a string is copied, and shares its array. */
    @Makes("java.lang.String 2, byte[] 1")
    static class Conversions extends Probe {
        final MethodHandle number = concat(int.class);
        final MethodHandle string = concat(Object.class);
        final Object text = "text";

        Object round(int i) throws Throwable {
            sink = (String) number.invokeExact(1_000_000 + i);
            return (String) string.invokeExact(text);
        }
    }

    /** Instructions that concatenate beside such a handle count what is theirs. */
    @Makes("java.lang.String 2, byte[] 2")
    static class BesideInstructions extends Probe {
        static final MethodHandle JOIN = concat(String.class, Object.class);
        String text = "text";

        Object round(int i) throws Throwable {
            sink = (String) JOIN.invokeExact(text, (Object) "more");
            return text + i;
        }
    }

    static int plus(int a, int b) {
        return a + b;
    }

    static CallSite lambda() {
        try {
            return LambdaMetafactory.metafactory(LOOKUP, "getAsInt",
                MethodType.methodType(IntSupplier.class, int.class, int.class), MethodType.methodType(int.class),
                LOOKUP.findStatic(Factories.class, "plus", MethodType.methodType(int.class, int.class, int.class)),
                MethodType.methodType(int.class));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Makes("Factories$$Lambda 2")
    static class Lambdas extends Probe {
        static final MethodHandle NEW = lambda().getTarget();
        final MethodHandle other = lambda().dynamicInvoker();

        Object round(int i) throws Throwable {
            sink = (IntSupplier) NEW.invokeExact(i, 1);
            return (IntSupplier) other.invokeExact(i, 2);
        }
    }

    /** There is one, made once. */
    @Makes("(nothing) 0")
    static class SameLambda extends Probe {
        static final MethodHandle SAME;

        static {
            try {
                SAME = LambdaMetafactory.metafactory(LOOKUP, "get", MethodType.methodType(Supplier.class),
                    MethodType.methodType(Object.class), LOOKUP.findStatic(Factories.class, "lambda",
                    MethodType.methodType(CallSite.class)), MethodType.methodType(CallSite.class)).getTarget();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }

        Object round(int i) throws Throwable {
            return (Supplier<?>) SAME.invokeExact();
        }
    }

    static class Sheep implements Cloneable {
        final int number = 1;

        @Override
        public Object clone() {
            return this;
        }

        static MethodHandle cloner() {
            try {
                return MethodHandles.lookup().findSpecial(Object.class, "clone", MethodType.methodType(Object.class),
                    Sheep.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Dolly extends Sheep {
        final long second = 2;
    }

    @Makes("Factories$Sheep 2, Factories$Dolly 1")
    static class SpecialClones extends Probe {
        static final MethodHandle CLONE = Sheep.cloner();
        final MethodHandle other = Sheep.cloner();
        final Sheep sheep = new Sheep();
        final Sheep dolly = new Dolly();

        Object round(int i) throws Throwable {
            sink = (Object) CLONE.invokeExact(sheep);
            sink = (Object) CLONE.invokeExact(dolly);
            return (Object) other.invokeExact(sheep);
        }
    }
}
