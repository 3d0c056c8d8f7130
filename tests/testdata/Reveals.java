import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** What programs see of method handles whose methods make objects for their caller. */
class Reveals {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static class Sheep implements Cloneable {
        private Sheep() {}

        static MethodHandle cloner() throws ReflectiveOperationException {
            return MethodHandles.lookup().findVirtual(Sheep.class, "clone", MethodType.methodType(Object.class));
        }
    }

    interface Action {
        Object run() throws Throwable;
    }

    /** Without the addresses of hidden classes. */
    static String clean(Object text) {
        return ("" + text).replaceAll("/0x[0-9a-f]+", "");
    }

    /** Prints what it gives or throws, with the frames that are not native. */
    static void show(String name, Action action) {
        try {
            Object made = action.run();
            System.out.println(name + ": " + (made instanceof Object[] ? Arrays.toString((Object[]) made)
                : made == null || made instanceof String ? clean(made) : made.getClass()));
        } catch (Throwable e) {
            System.out.println(name + " throws " + clean(e));
            for (StackTraceElement frame : e.getStackTrace()) {
                if (!frame.getClassName().contains("$$") && !frame.isNativeMethod() &&
                    !frame.getClassName().startsWith("jdk.internal.reflect.")) {
                    System.out.println("  " + frame.getClassName() + "." + frame.getMethodName());
                }
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle copy = LOOKUP.findStatic(Arrays.class, "copyOf",
            MethodType.methodType(Object[].class, Object[].class, int.class));
        MethodHandle array = LOOKUP.unreflect(Array.class.getMethod("newInstance", Class.class, int.class));
        MethodHandle get = LOOKUP.unreflect(Array.class.getMethod("get", Object.class, int.class));
        MethodHandle make = LOOKUP.findVirtual(Constructor.class, "newInstance",
            MethodType.methodType(Object.class, Object[].class));
        MethodHandle makeClass = LOOKUP.unreflect(Class.class.getMethod("newInstance"));
        MethodHandle cloner = Sheep.cloner();
        MethodHandle[] all = {copy, array, get, cloner, copy.bindTo(new Object[0]), cloner.asType(
            MethodType.methodType(Object.class, Sheep.class)), make.asFixedArity()};
        for (MethodHandle each : all) {
            System.out.println(each + " " + each.isVarargsCollector());
            show("revealed", () -> LOOKUP.revealDirect(each).toString());
            show("described", () -> "" + each.describeConstable().isPresent());
        }
        show("reflected", () -> MethodHandles.reflectAs(java.lang.reflect.Method.class, copy).toString());
        show("copy", () -> (Object[]) copy.invokeExact((Object[]) new String[] {"a"}, 2));
        show("copy negative", () -> (Object[]) copy.invokeExact((Object[]) new String[] {"a"}, -1));
        show("copy null", () -> (Object[]) copy.invokeExact((Object[]) null, 1));
        show("array", () -> array.invoke(String.class, 3));
        show("array of void", () -> array.invoke(void.class, 3));
        show("get", () -> get.invoke(new int[] {1}, 0));
        show("get beyond", () -> get.invoke(new int[] {1}, 1));
        show("clone", () -> cloner.invoke((Sheep) new Sheep()));
        show("clone null", () -> cloner.invoke((Sheep) null));
        // whoever calls has to be asked whether it may
        Constructor<?> hidden = Thread.class.getModule().getClass().getDeclaredConstructors()[0];
        Constructor<?> own = Sheep.class.getDeclaredConstructor();
        show("own", () -> make.invoke(own));
        show("hidden", () -> make.asFixedArity().invoke(hidden, new Object[hidden.getParameterCount()]));
        show("hidden class", () -> makeClass.invoke((Class<?>) Class.forName("java.util.ArrayList$SubList")));
        show("hidden by reflection", () -> {
            try {
                return Constructor.class.getMethod("newInstance", Object[].class).invoke(hidden,
                    (Object) new Object[hidden.getParameterCount()]);
            } catch (InvocationTargetException e) {
                return e.getCause().toString();
            }
        });
    }
}
