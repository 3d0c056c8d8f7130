package java.lang;

/** What instrumented code calls for contexts that are encoded, without effect. */
public final class $MallardCode extends $MallardObjects {
    private $MallardCode() {}

    public static long begin(int method, int words, int first) {
        return 0;
    }

    public static void announce(long number, int call) {}

    public static void end(long number, int method) {}

    public static long node(long number, int method) {
        return 0;
    }
}
