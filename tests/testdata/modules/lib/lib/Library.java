package lib;

import lib.internal.Hidden;

public class Library {
    public static int work() {
        int n = 0;
        for (int i = 0; i < 100; i++) {
            n += new Hidden(1).one;
        }
        return n;
    }
}
