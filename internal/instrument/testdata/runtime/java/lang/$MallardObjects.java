package java.lang;

/** The same for what others make. */
public class $MallardObjects extends $Mallard {
    $MallardObjects() {}

    public static void multi(Object array, int levels, int leaf, int counter) {}

    public static void array(Object made, int counter) {}

    public static void concatenated(String made, int counter) {}

    public static void object(Object made, int counter) {}

    public static void made(Object made, int counter) {}

    public static void copied(Object made, int counter) {}

    public static void nested(Object array, int counter) {}

    public static void handled(Object made, int counter) {}

    public static void reflecting() {}

    public static void reflected() {}

    public static Class<?> arrayMaker(int counter) { return $MallardObjects.class; }

    public static Object newArray(Class<?> element, int length) { return null; }

    public static void cloned(Object made, int counter) {}

    public static void superCloned(Object made, Class<?> from, int counter) {}

    public static void multi(Object array, int levels, int leaf, long node, int word) {}

    public static void array(Object made, long node, int word) {}

    public static void concatenated(String made, long node, int word) {}

    public static void object(Object made, long node, int word) {}

    public static void made(Object made, long node, int word, int slot, int counter) {}

    public static void copied(Object made, long node, int word, int slot, int counter) {}

    public static void nested(Object array, long node, int word, int slot, int counter) {}

    public static void handled(Object made, long node, int word, int slot, int counter) {}

    public static void cloned(Object made, long node, int word, int slot, int counter) {}

    public static void superCloned(Object made, Class<?> from, long node, int word, int slot, int counter) {}
}
