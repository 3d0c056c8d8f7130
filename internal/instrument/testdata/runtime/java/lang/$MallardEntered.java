package java.lang;

/** What instrumented code calls where a thread enters or leaves a transaction, without effect. */
public final class $MallardEntered {
    private $MallardEntered() {}

    public static void enterTree(String name, long node, int method, int slot) {}

    public static void exitTree(String name, long node, int method, int slot) {}

    public static void enterHash(String name, long hash, int method, int slot) {}

    public static void exitHash(String name, long hash, int method, int slot) {}

    public static void enterCode(String name, long number, int method, int slot) {}

    public static void exitCode(String name, long number, int method, int slot) {}
}
