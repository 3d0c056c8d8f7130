package java.lang;

/** What instrumented code calls, without effect: for tests that only load and run classes. */
public final class $Mallard {
    private $Mallard() {}

    public static void count(int counter) {}

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

    public static void cloned(Object made, int counter) {}

    public static void superCloned(Object made, Class<?> from, int counter) {}

    public static void give(Object array) {}

    public static void take(int counter) {}

    public static void boot() {}

    public static void mount(Thread virtual) {}
}
