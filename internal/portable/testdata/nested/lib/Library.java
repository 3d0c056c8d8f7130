package lib;

import java.util.function.Supplier;

public class Library {
    public static Object make(Supplier<?> maker) {
        new Library();
        return maker.get();
    }
}
