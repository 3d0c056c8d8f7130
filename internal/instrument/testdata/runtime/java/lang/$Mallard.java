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

    public static void boot() {}

    public static void mount(Thread virtual) {}
}
