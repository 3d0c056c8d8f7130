import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.function.Supplier;

/** What each line makes: the kind of each site, its type, and the length of arrays where it is known. */
class Makes implements Cloneable {
    record Pair(Object left, Object right) {}

    static Object instance() {
        return new Object(); // Instance java/lang/Object
    }

    static Object constant() {
        return new int[10]; // ArrayConst [I 10
    }

    static Object length(int n) {
        return new String[n][]; // ArrayLen [[Ljava/lang/String;
    }

    static Object joined(boolean few) {
        return new byte[few ? 1 : 2]; // ArrayLen [B
    }

    static Object levels(int n) {
        return new long[n][n][]; // Multi [[[J, Multi [[J
    }

    static String[] copied(String[] old) {
        return Arrays.copyOf(old, 3); // ArrayLen [Ljava/lang/String;
    }

    static byte[] copiedBytes(byte[] old) {
        return Arrays.copyOf(old, 3);
    }

    static int[] reflected(int n) {
        return (int[]) Array.newInstance(int.class, n); // Called [I
    }

    static Object nested(int n) {
        return Array.newInstance(int.class, n, n); // ArrayConst [I 2, Multi java/lang/Object
    }

    static int[] cloned(int[] old) {
        return old.clone(); // ArrayLen [I
    }

    protected Object clone() throws CloneNotSupportedException {
        return super.clone(); // Called Makes
    }

    Object virtual() throws CloneNotSupportedException {
        return (Makes) clone(); // Multi Makes
    }

    static Supplier<String> captures(String text) {
        return () -> text; // Called Makes$$Lambda
    }

    static Supplier<String> capturesNothing() {
        return () -> "";
    }

    static String concatenated(String a, int b) {
        return a + b; // Instance java/lang/String, ArrayLen [B
    }

    static <T> T made(Constructor<T> constructor, Object[] arguments) throws Exception {
        return constructor.newInstance(arguments); // Called java/lang/Object
    }
}
