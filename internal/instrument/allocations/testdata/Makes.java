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

    static Object looped(int n) {
        Object last = null;
        for (int i = 0; i < n; i++) {
            if (i > 100) {
                throw new IllegalStateException(); // Instance java/lang/IllegalStateException passed
            }
            if (i < 10) {
                last = new Object(); // Instance java/lang/Object looped
            }
        }
        return last;
    }

    static void concatenated(int n) {
        for (int i = 0; i < n; i++) {
            new StringBuilder().append(i > 2 ? i : n).toString(); // Instance java/lang/StringBuilder looped passed
            StringBuilder kept = new StringBuilder(); // Instance java/lang/StringBuilder looped passed
            kept.append(i).toString();
        }
        new StringBuilder().append(n).toString(); // Instance java/lang/StringBuilder
    }

    static void thrown(int n) {
        Throwable kept = new Throwable(); // Instance java/lang/Throwable
        if (n > 1) {
            throw new Error(n > 2 ? "a" : "b"); // Instance java/lang/Error passed
        }
        new Error().fillInStackTrace(); // Instance java/lang/Error
    }

    static void passed(boolean few, String[] all) {
        String.format("%s %s", few ? "a" : "b", all[0]); // ArrayConst [Ljava/lang/Object; 2 passed
        Arrays.asList(); // ArrayConst [Ljava/lang/Object; 0 passed
        Arrays.fill(new int[] {1, 2}, 3); // ArrayConst [I 2
        Object[] kept = {all}; // ArrayConst [Ljava/lang/Object; 1
        Arrays.asList(kept);
    }

    static Object levels(int n) {
        return new long[n][n][]; // Multi [[[J, Multi [[J
    }

    static String[] copied(String[] old) {
        return Arrays.copyOf(old, 3); // ArrayLen [Ljava/lang/String; copied
    }

    static byte[] copiedBytes(byte[] old) {
        return Arrays.copyOf(old, 3);
    }

    static int[] reflected(int n) {
        return (int[]) Array.newInstance(int.class, n); // Called [I
    }

    static Object nested(int n) {
        return Array.newInstance(int.class, n, n); // ArrayConst [I 2 passed, Multi java/lang/Object
    }

    static int[] cloned(int[] old) {
        return old.clone(); // ArrayLen [I copied
    }

    protected Object clone() throws CloneNotSupportedException {
        return super.clone(); // Called Makes copied
    }

    Object virtual() throws CloneNotSupportedException {
        return (Makes) clone(); // Multi Makes copied
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
