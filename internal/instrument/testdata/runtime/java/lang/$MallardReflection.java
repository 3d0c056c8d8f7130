package java.lang;

/** The same around what method handles and reflection call. */
public final class $MallardReflection {
    private $MallardReflection() {}

    public static void calls(int counter) {}

    public static void called() {}

    public static int caller(int counter) {
        return counter;
    }

    public static void forCaller(Object made, int counter) {}

    public static void forCaller(Object made, long node, int word, int slot, int counter) {}

    public static void boxed(Object array, Object made, int counter) {}

    public static void boxed(Object array, Object made, long node, int word, int slot, int counter) {}

    public static void invoked(Object returned, Object accessor, Object[] arguments, int counter) {}

    public static void invoked(Object returned, Object accessor, Object[] arguments, long node, int word, int slot,
        int counter) {}

    public static void lost(Throwable thrown, Object constructor, int counter) {}

    public static void lost(Throwable thrown, Object constructor, long node, int word, int slot, int counter) {}

    public static void handle(Object handle) {}

    public static Object revealed(Object own) {
        return own;
    }

    public static java.lang.reflect.Field[] declared(java.lang.reflect.Field[] fields) {
        return fields;
    }

    public static void concatSite(Object site) {}

    public static void recordSite(Object site) {}

    public static void lambdaSite(Object site) {}
}
