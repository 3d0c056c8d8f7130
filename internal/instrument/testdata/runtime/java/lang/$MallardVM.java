package java.lang;

/** The same for what the VM makes by itself. */
public final class $MallardVM {
    private $MallardVM() {}

    public static void stopped(Object continuation, int counter) {}

    public static void backtrace(Throwable thrown, int counter) {}

    public static void thrown(Throwable made) {}

    public static void thrown(Throwable made, long node, int word) {}

    public static void stopped(Object continuation, long node, int word) {}

    public static void backtrace(Throwable thrown, long node, int word) {}
}
