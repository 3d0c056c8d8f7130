package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Who reads objects that are watched. Code of some classes tells of each field and element that it reads, behind the
 * read: the object, for an array the index, the value, and the place in the class file.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules, but only where objects are watched. The agent writes the
 * fields, without any order; it looks again at whatever {@link #seen} is called with.
 */
public final class $MallardWatch {
    /** The objects; null: none. */
    private static Object first, second;

    /** Where alone and at which index, -1 for a field, each is watched; a place of -1: wherever it is read. */
    private static int firstPlace, firstIndex, secondPlace, secondIndex;

    private $MallardWatch() {}

    /** Passes a field's value on. */
    @ForceInline
    @Hidden
    public static int read(Object from, int value, int place) {
        if (from == first || from == second) {
            found(from, -1, value, null, place);
        }
        return value;
    }

    /** The same for a long. */
    @ForceInline
    @Hidden
    public static long read(Object from, long value, int place) {
        if (from == first || from == second) {
            found(from, -1, value, null, place);
        }
        return value;
    }

    /** The same for a float. */
    @ForceInline
    @Hidden
    public static float read(Object from, float value, int place) {
        if (from == first || from == second) {
            found(from, -1, Float.floatToRawIntBits(value), null, place);
        }
        return value;
    }

    /** The same for a double. */
    @ForceInline
    @Hidden
    public static double read(Object from, double value, int place) {
        if (from == first || from == second) {
            found(from, -1, Double.doubleToRawLongBits(value), null, place);
        }
        return value;
    }

    /** The same for a reference, which its caller has kept. */
    @ForceInline
    @Hidden
    public static void read(Object from, Object value, int place) {
        if (from == first || from == second) {
            found(from, -1, 0, value, place);
        }
    }

    /** Passes an element of an array on. */
    @ForceInline
    @Hidden
    public static int read(Object from, int index, int value, int place) {
        if (from == first || from == second) {
            found(from, index, value, null, place);
        }
        return value;
    }

    /** The same for a long. */
    @ForceInline
    @Hidden
    public static long read(Object from, int index, long value, int place) {
        if (from == first || from == second) {
            found(from, index, value, null, place);
        }
        return value;
    }

    /** The same for a float. */
    @ForceInline
    @Hidden
    public static float read(Object from, int index, float value, int place) {
        if (from == first || from == second) {
            found(from, index, Float.floatToRawIntBits(value), null, place);
        }
        return value;
    }

    /** The same for a double. */
    @ForceInline
    @Hidden
    public static double read(Object from, int index, double value, int place) {
        if (from == first || from == second) {
            found(from, index, Double.doubleToRawLongBits(value), null, place);
        }
        return value;
    }

    /** The same for a reference, which its caller has kept. */
    @ForceInline
    @Hidden
    public static void read(Object from, int index, Object value, int place) {
        if (from == first || from == second) {
            found(from, index, 0, value, place);
        }
    }

    /** Says that an object was read which is watched, if that is so there. */
    @DontInline
    @Hidden
    private static void found(Object from, int index, long value, Object reference, int place) {
        if (from == first && (firstPlace == -1 || firstPlace == place && firstIndex == index)) {
            seen(0, from, index, value, reference, place);
        }
        if (from == second && (secondPlace == -1 || secondPlace == place && secondIndex == index)) {
            seen(1, from, index, value, reference, place);
        }
    }

    /** A reference is told for a value that is one. */
    private static native void seen(int slot, Object from, int index, long value, Object reference, int place);
}
