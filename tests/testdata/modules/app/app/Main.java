package app;

import java.util.function.IntSupplier;
import lib.Library;

/** Makes 500 arrays of int, or has others make them, and 100 objects of a package that is not exported. */
public class Main {
    public static void main(String[] args) throws Exception {
        int made = 0;
        try {
            made = ((IntSupplier) Class.forName("java.util.Patched").getConstructor().newInstance()).getAsInt();
        } catch (ClassNotFoundException e) {
            made = Work.work();
        }
        if (made == 0) {
            for (; made < 500; made++) {
                made += new int[made & 3].length * 0;
            }
        }
        System.out.println("made " + made + " " + Library.work());
    }
}
