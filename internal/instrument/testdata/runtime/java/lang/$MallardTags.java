package java.lang;

/** The same for tags of objects. */
public final class $MallardTags {
    private $MallardTags() {}

    public static void own(Object made, int number) {}

    public static void built(Object made, int number) {}

    public static void left(Object made, int number) {}

    public static void shown(Object made, int number) {}

    public static void string(Object made, int array, int number) {}

    public static void nested(Object made, int levels, int number) {}

    public static void own(Object made, long node, int word) {}

    public static void built(Object made, long node, int word) {}

    public static void left(Object made, long node, int word) {}

    public static void shown(Object made, long node, int word) {}

    public static void string(Object made, int array, long node, int word) {}

    public static void nested(Object made, int levels, long node, int word) {}

    public static void backtrace(Throwable thrown, int number) {}

    public static void backtrace(Throwable thrown, long node, int word) {}

    public static void chain(Object made, int array, int number) {}

    public static void chain(Object made, int array, long node, int word) {}

    public static void next(int number) {}

    public static void next(long node, int word) {}

    public static void builder(Object made) {}
}
