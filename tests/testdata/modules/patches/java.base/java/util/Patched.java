package java.util;

import java.util.function.IntSupplier;

/** A class that no JDK has in this package. */
public class Patched implements IntSupplier {
    @Override
    public int getAsInt() {
        int made = 0;
        for (; made < 900; made++) {
            made += new int[made & 3].length * 0;
        }
        return made;
    }
}
