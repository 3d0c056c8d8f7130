package java.lang;

/** The same for what the VM makes by itself. */
public final class $MallardVM {
    private $MallardVM() {}

    public static void backtrace(Throwable thrown, long node, int word) {
        $MallardTree.at(node, word);
    }
}
