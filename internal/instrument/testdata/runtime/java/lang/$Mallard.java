package java.lang;

/** What instrumented code calls to count, without effect: for tests that only load and run classes. */
public class $Mallard {
    $Mallard() {}

    public static void probeStack(int none) {}

    public static void count(int counter) {}

    public static void executed(int bytecodes, int counter) {}

    public static void array1(int length, int counter) {}

    public static void array2(int length, int counter) {}

    public static void array4(int length, int counter) {}

    public static void array8(int length, int counter) {}

    public static void arrayRef(int length, int counter) {}

    public static void arrayAfter(int length, Object before, int counter) {}

    public static byte[] hidden(ClassLoader loader, byte[] bytes, int flags) { return bytes; }

    public static void deferArray(Object array) {}

    public static void deferEarly(Object array) {}

    public static void countDeferred(int counter) {}

    public static void concatenated(int counter) {}

    public static void count(long node, int word) {}

    public static void executed(int bytecodes, long node, int word) {}

    public static void array1(int length, long node, int word) {}

    public static void array2(int length, long node, int word) {}

    public static void array4(int length, long node, int word) {}

    public static void array8(int length, long node, int word) {}

    public static void arrayRef(int length, long node, int word) {}

    public static void arrayAfter(int length, Object before, long node, int word) {}

    public static void countDeferred(long node, int word) {}

    public static void concatenated(long node, int word) {}
}
