import java.util.ArrayList;
import java.util.Arrays;

/** What tests look at the tags of. */
class Tags implements Cloneable {
    Tags(Object... parts) {}

    static Object objects(boolean b) {
        return new Tags(b ? new Object() : new ArrayList<Object>(), new int[3]);
    }

    static void dropped() {
        new Tags();
    }

    static Object arrays(int n) {
        return new Object[][] {new long[n][2], new String[n], Arrays.copyOf(new Object[0], n)};
    }

    Object copied() throws CloneNotSupportedException {
        return clone();
    }
}
