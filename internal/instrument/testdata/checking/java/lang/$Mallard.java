package java.lang;

/** What instrumented code with contexts calls to count: it checks where. */
public class $Mallard {
    $Mallard() {}

    public static void count(long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void array1(int length, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void array2(int length, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void array4(int length, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void array8(int length, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void arrayRef(int length, long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void countDeferred(long node, int word) {
        $MallardTree.at(node, word);
    }

    public static void concatenated(long node, int word) {
        $MallardTree.at(node, word);
    }
}
