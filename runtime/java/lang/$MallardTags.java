package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Tags: numbers of sites in bits of objects' headers that HotSpot does not use (markWord.hpp), for who reads the heap.
 * An object is given one by code right behind what made it, and keeps it.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardTags {
    /** Of an object that nobody has locked, asked for its hash, or moved. */
    private static final long NEW = HEADER_NEW;

    private $MallardTags() {}

    /** Tags what nobody else can know yet: an array, an object whose constructor has not shown it to others. */
    @ForceInline
    @Hidden
    public static void own(Object made, int number) {
        if (U == null) {
            return;
        }
        if (U.getLong(made, 0L) == NEW) {
            U.putInt(made, 4L, tag(number) << TAG_SHIFT - 32);
        } else {
            known(made, number);
        }
    }

    /**
     * Tags an object that others may be locking now: where its header is a pointer nothing else may be written. There
     * may be none.
     */
    @ForceInline
    @Hidden
    public static void shown(Object made, int number) {
        if (U != null && made != null && !replace(made, NEW, number)) {
            known(made, number);
        }
    }

    /**
     * Tags a String that a call has made, and its array, unless that is another's, or they have tags.
     *
     * @param array the array's number, less the String's
     */
    @ForceInline
    @Hidden
    public static void string(Object made, int array, int number) {
        if (U != null && made != null) {
            shown(made, number);
            replace(U.getReference(made, value), NEW, number + array);
        }
    }

    /** Tags an array of arrays, and those in it, each level with the number behind that of the one before. */
    @Hidden
    public static void nested(Object made, int levels, int number) {
        own(made, number);
        if (levels > 1) {
            for (Object element : (Object[]) made) {
                nested(element, levels - 1, number + 1);
            }
        }
    }

    /** Adds a tag to a header, if that is still as it was. */
    @ForceInline
    private static boolean replace(Object made, long header, int number) {
        return U.compareAndSetLong(made, 0L, header, header | (long) tag(number) << TAG_SHIFT);
    }

    /** The numbers that there is no room for have one tag. */
    @ForceInline
    private static int tag(int number) {
        return number < TAG_OTHERS ? number : TAG_OTHERS;
    }

    /**
     * Tags what the collector has moved, or who asked for its hash. What is locked, or has a tag, stays as it is: its
     * header may be elsewhere.
     */
    private static void known(Object made, int number) {
        long header = U.getLong(made, 0L);
        while ((header & HEADER_LOCK) == NEW && header >>> TAG_SHIFT == 0) {
            if (replace(made, header, number)) {
                return;
            }
            header = U.getLong(made, 0L);
        }
    }
}
