package java.lang;

/** What instrumented code calls to count, without effect: for tests that only load and run classes. */
public final class $Mallard {
    private $Mallard() {}

    public static void count(int counter) {}

    public static void executed(int bytecodes, int counter) {}

    public static void array1(int length, int counter) {}

    public static void array2(int length, int counter) {}

    public static void array4(int length, int counter) {}

    public static void array8(int length, int counter) {}

    public static void arrayRef(int length, int counter) {}

    public static void multi(Object array, int levels, int leaf, int counter) {}

    public static void array(Object made, int counter) {}

    public static void object(Object made, int counter) {}

    public static void nested(Object array, int counter) {}

    public static void backtrace(Throwable thrown, int counter) {}

    public static void handled(Object made, int counter) {}

    public static void reflecting() {}

    public static void reflected() {}

    public static byte[] hidden(ClassLoader loader, byte[] bytes, int flags) { return bytes; }
    public static void thrown(Throwable made) {}
    public static void thrown(Throwable made, long node, int word) {}
    public static Class<?> arrayMaker(int counter) { return $Mallard.class; }
    public static Object newArray(Class<?> element, int length) { return null; }

    public static void cloned(Object made, int counter) {}

    public static void superCloned(Object made, Class<?> from, int counter) {}

    public static void give(Object array) {}

    public static void take(int counter) {}

    public static void boot() {}

    public static void mount(Thread virtual) {}

    public static void terminated(Thread virtual) {}

    public static void hide() {}

    public static void show() {}

    public static void resumes(boolean started) {}

    public static void left() {}

    public static void count(long node, int word) {}

    public static void executed(int bytecodes, long node, int word) {}

    public static void array1(int length, long node, int word) {}

    public static void array2(int length, long node, int word) {}

    public static void array4(int length, long node, int word) {}

    public static void array8(int length, long node, int word) {}

    public static void arrayRef(int length, long node, int word) {}

    public static void multi(Object array, int levels, int leaf, long node, int word) {}

    public static void array(Object made, long node, int word) {}

    public static void object(Object made, long node, int word) {}

    public static void nested(Object array, long node, int word) {}

    public static void backtrace(Throwable thrown, long node, int word) {}

    public static void handled(Object made, long node, int word) {}

    public static void cloned(Object made, long node, int word) {}

    public static void superCloned(Object made, Class<?> from, long node, int word) {}

    public static void take(long node, int word) {}
}
