package java.lang;

/** The same for what others make. */
public class $MallardObjects extends $Mallard {
    $MallardObjects() {}

    public static void multi(Object array, int levels, int leaf, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void array(Object made, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void object(Object made, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void nested(Object array, long node, int word, int slot, int counter) {
        $MallardTree.at(node, word);
    }

    public static void handled(Object made, long node, int word, int slot, int counter) {
        $MallardTree.at(node, word);
    }

    public static void cloned(Object made, long node, int word, int slot, int counter) {
        $MallardTree.at(node, word);
    }

    public static void superCloned(Object made, Class<?> from, long node, int word, int slot, int counter) {
        $MallardTree.at(node, word);
    }

    public static void made(Object made, long node, int word, int slot, int counter) {
        $MallardTree.at(node, word);
    }

    public static void copied(Object made, long node, int word, int slot, int counter) {
        $MallardTree.at(node, word);
    }
}
