package java.lang;

/** The same around what compilers replace. */
public final class $MallardReplaced {
    private $MallardReplaced() {}

    public static void chainEnds() {}

    public static int chainsEnded() {
        return 0;
    }

    public static void chainMade(String made) {}

    public static void ownMade(String made) {}

    public static void ran() {}

    public static void chainEnded(int before, String made, int counter) {}

    public static void chainEnded(int before, String made, long node, int word) {}

    public static void chainOver(int before, String made, int counter) {}

    public static void chainOver(int before, String made, long node, int word) {}

    public static void replaced(Object made, int counter) {}

    public static void replaced(Object made, long node, int word) {}

    public static void fresh(Object made, Object given, int counter) {}

    public static void fresh(Object made, Object given, long node, int word) {}
}
