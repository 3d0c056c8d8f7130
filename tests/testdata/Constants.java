/** Loads a class whose static fields have constant values: nobody has made such strings, or the program has. */
class Constants {
    static class Unused {
        static final String FIRST = "nobody has made this string, and no instruction asks for it";
        static final String SECOND = "nobody has made this one either; its characters take two bytes: \u03b1\u03b2";
        static final String THIRD = "three";
        static final String AGAIN = "three";
        static final Object NO_CONSTANT = null;
        static int used;
    }

    static class Made {
        static final String FIRST = "made by the program: 1", SECOND = "made by the program: 2";
        static final String WIDE = "made by the program: 3 \u03b1";
        static int used;
    }

    interface Shared {
        String TEXT = "of an interface";
        Object LOADED = new Object();
    }

    public static void main(String[] args) {
        if (args[0].equals("made")) {
            for (int i = 1; i <= 3; i++) {
                StringBuilder text = new StringBuilder("made by the program: ").append(i);
                if (i == 3) text.append(' ').append('\u03b1');
                if (text.toString().intern() == null) throw new AssertionError();
            }
            Made.used++;
        }
        if (args[0].equals("unused")) {
            Unused.used++;
            if (Shared.LOADED == null) throw new AssertionError();
        }
    }
}
