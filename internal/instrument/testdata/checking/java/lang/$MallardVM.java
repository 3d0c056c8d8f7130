package java.lang;

/** The same for what the VM makes by itself. */
public final class $MallardVM {
    private $MallardVM() {}

    public static void backtrace(Throwable thrown, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void stops(long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void named(String name) {}

    public static void asked(Object loader, String name, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void linked(Object handed, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void members(Object[] made, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void returned(Object made, long node, int word) {
        $MallardTree.at(node, word);
    }
}
