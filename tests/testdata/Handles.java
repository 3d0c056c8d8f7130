import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Arrays that method handles make: of every length, in collectors, of references and of a basic type. */
class Handles {
    static int sum(Object... values) {
        return values.length;
    }

    static int sum(int... values) {
        return values.length;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle ints = MethodHandles.arrayConstructor(int[].class), nested = MethodHandles.arrayConstructor(String[][].class);
        MethodHandle references = lookup.findStatic(Handles.class, "sum", MethodType.methodType(int.class, Object[].class)).asCollector(Object[].class, 3);
        MethodHandle basic = lookup.findStatic(Handles.class, "sum", MethodType.methodType(int.class, int[].class)).asCollector(int[].class, 4);
        int sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += ((int[]) ints.invokeExact(i % 50)).length;
            sum += ((String[][]) nested.invokeExact(i % 7)).length;
            sum += (int) references.invokeExact((Object) "a", (Object) "b", (Object) "c");
            sum += (int) basic.invokeExact(1, 2, 3, 4);
        }
        try {
            sum += ((int[]) ints.invokeExact(-1)).length;
        } catch (NegativeArraySizeException e) {
            for (StackTraceElement frame : e.getStackTrace()) { // without what is native, which depends on the compilers
                if (!frame.isNativeMethod()) {
                    System.out.println(frame.getClassName());
                }
            }
        }
        System.out.println("checksum " + sum);
    }
}
