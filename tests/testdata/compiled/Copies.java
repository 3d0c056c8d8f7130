import java.util.Arrays;

/** Copies to new arrays that fail when the array has been made. */
class Copies {
    public static void main(String[] args) throws Throwable {
        Probe.runAll(Copies.class, args);
    }

    static final Object[] FROM = {"a", 1};

    /** What an exception makes besides the array: its message, and where it was thrown. */
    static final String THROWN = ", java.lang.String 0..4, byte[] 0..8, java.lang.Object[] 0..2, int[] 0..1,"
        + " long[] 0..1, short[] 0..1, char[] 0..1, java.lang.StringBuilder 0..1";

    @Makes("java.lang.String[] 1, java.lang.ArrayStoreException 1" + THROWN)
    static class DoesNotFit extends Probe {
        Object round(int i) {
            try {
                return Arrays.copyOf(FROM, 2, String[].class);
            } catch (ArrayStoreException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.Long[] 1, java.lang.ArrayStoreException 1" + THROWN)
    static class RangeDoesNotFit extends Probe {
        Object round(int i) {
            try {
                return Arrays.copyOfRange(FROM, 1, 9, Long[].class);
            } catch (ArrayStoreException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.String[] 1, java.lang.NullPointerException 1" + THROWN)
    static class Nothing extends Probe {
        final Object[] nothing = null;

        Object round(int i) {
            try {
                return Arrays.copyOf(nothing, 3, String[].class);
            } catch (NullPointerException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.String[] 0..1, java.lang.ArrayIndexOutOfBoundsException 1" + THROWN)
    static class Beyond extends Probe {
        Object round(int i) {
            try {
                return Arrays.copyOfRange(FROM, 5, 7, String[].class);
            } catch (ArrayIndexOutOfBoundsException e) {
                return e;
            }
        }
    }
}
