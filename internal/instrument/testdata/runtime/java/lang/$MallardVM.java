package java.lang;

/** The same for what the VM makes by itself. */
public final class $MallardVM {
    private $MallardVM() {}

    public static void attached(Thread made, Object name, int counter) {}

    public static void attached(Thread made, Object name, long node, int word) {}

    public static void stops(int counter) {}

    public static void stops(long node, int word) {}

    public static void stopped(Object continuation, int counter) {}

    public static void backtrace(Throwable thrown, int counter) {}

    public static void thrown(Throwable made) {}

    public static void thrown(Throwable made, long node, int word) {}

    public static void stopped(Object continuation, long node, int word) {}

    public static void backtrace(Throwable thrown, long node, int word) {}

    public static void asked(Object loader, String name, int counter) {}

    public static void linked(Object handed, int counter) {}

    public static void members(Object[] made, int counter) {}

    public static void returned(Object made, int counter) {}

    public static void named(String name) {}

    public static void asked(Object loader, String name, long node, int word) {}

    public static void linked(Object handed, long node, int word) {}

    public static void members(Object[] made, long node, int word) {}

    public static void returned(Object made, long node, int word) {}
}
