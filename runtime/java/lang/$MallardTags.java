package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.*;
import static java.lang.$MallardVM.*;

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

    /** In the first block, the last tag that a site has been given in a context. */
    private static final int TAGS = WORD_TAGS;

    /** The number of the site that is about to make a builder, 0 for none. */
    private static final int BUILDER = WORD_BUILDER;

    private $MallardTags() {}

    /**
     * Tags what nobody else can know yet: an array, an object whose constructor has not shown it to others. Another tag
     * is of who has read the heap meanwhile, and took it for one of those that are given none.
     */
    @ForceInline
    @Hidden
    public static void own(Object made, int number) {
        put(made, number, true);
    }

    /** The same with the tag of a word of a node. */
    @ForceInline
    @Hidden
    public static void own(Object made, long node, int word) {
        if (U != null) {
            own(made, given(node, word));
        }
    }

    /** The same for an array that a call has left, which may have tagged it. */
    @ForceInline
    @Hidden
    public static void left(Object made, int number) {
        put(made, number, false);
    }

    /** The same with the tag of a word of a node. */
    @ForceInline
    @Hidden
    public static void left(Object made, long node, int word) {
        if (U != null) {
            left(made, given(node, word));
        }
    }

    /**
     * Tags a new object that others may be locking now: where its header is a pointer nothing else may be written. That
     * is not minded where the recorder says that no constructor shows it to anyone: it takes most of the time.
     */
    @ForceInline
    @Hidden
    public static void built(Object made, int number) {
        if (isUnshown(number)) {
            put(made, number, true);
        } else {
            putAtomically(made, number, true);
        }
    }

    /** The same with the tag of a word of a node. */
    @ForceInline
    @Hidden
    public static void built(Object made, long node, int word) {
        if (U != null) {
            putAtomically(made, given(node, word), true);
        }
    }

    /** Tags what a call has made, or had: an object that others may know, or none. */
    @ForceInline
    @Hidden
    public static void shown(Object made, int number) {
        if (made != null) {
            putAtomically(made, number, false);
        }
    }

    /** The same with the tag of a word of a node. */
    @ForceInline
    @Hidden
    public static void shown(Object made, long node, int word) {
        if (U != null) {
            shown(made, given(node, word));
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

    /** The same with the tags of words of a node. */
    @ForceInline
    @Hidden
    public static void string(Object made, int array, long node, int word) {
        if (U != null && made != null) {
            shown(made, given(node, word));
            replace(U.getReference(made, value), NEW, given(node, word + array));
        }
    }

    /** The same where the chain of a builder ends, which C2 may have replaced: what was announced is over. */
    @ForceInline
    @Hidden
    public static void chain(Object made, int array, int number) {
        announce(0);
        string(made, array, number);
    }

    /** The same with the tags of words of a node, where nobody announces builders. */
    @ForceInline
    @Hidden
    public static void chain(Object made, int array, long node, int word) {
        string(made, array, node, word);
    }

    /**
     * Announces the number for the builder that is made next, whose constructor tags it. Code that uses a builder in
     * any other way than to make a String of it keeps C2 from replacing that (OptimizeStringConcat).
     */
    @ForceInline
    @Hidden
    public static void next(int number) {
        announce(number);
    }

    /** The same in a node, where nobody calls it either: such builders are tagged as other objects. */
    @Hidden
    public static void next(long node, int word) {
    }

    /** Threads that have no block of their own yet share one. */
    @ForceInline
    private static void announce(int number) {
        if (U != null) {
            long block = Thread.currentThread().$mallard;
            if (block != 0) {
                U.putInt(null, block + SHARED + (BUILDER << 3), number);
            }
        }
    }

    /** Tags a builder that has been announced: called last thing in its constructor. */
    @ForceInline
    @Hidden
    public static void builder(Object made) {
        if (U != null) {
            long block = Thread.currentThread().$mallard;
            int number = block == 0 ? 0 : U.getInt(null, block + SHARED + (BUILDER << 3));
            if (number != 0) {
                U.putInt(null, block + SHARED + (BUILDER << 3), 0);
                put(made, number, true);
            }
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

    /** The same with the tags of words of a node. */
    @Hidden
    public static void nested(Object made, int levels, long node, int word) {
        own(made, node, word);
        if (levels > 1) {
            for (Object element : (Object[]) made) {
                nested(element, levels - 1, node, word + 1);
            }
        }
    }

    /** Tags the arrays that the VM has recorded the stack in for a Throwable, as {@link $MallardVM#backtrace}. */
    @Hidden
    public static void backtrace(Throwable thrown, int number) {
        for (Object[] chunk = firstChunk(thrown); chunk != null; chunk = nextChunk(chunk)) {
            own(chunk, number);
            for (int i = 0; i < chunk.length; i++) {
                int type = typeOfPart(chunk, i);
                if (type >= 0) {
                    own(chunk[i], number + type);
                }
            }
        }
    }

    /** The same with the tags of words of a node. */
    @Hidden
    public static void backtrace(Throwable thrown, long node, int word) {
        for (Object[] chunk = firstChunk(thrown); chunk != null; chunk = nextChunk(chunk)) {
            own(chunk, node, word);
            for (int i = 0; i < chunk.length; i++) {
                int type = typeOfPart(chunk, i);
                if (type >= 0) {
                    own(chunk[i], node, word + type);
                }
            }
        }
    }

    /** What the recorder may take back at any time: what is asked for an object holds for that one. */
    @ForceInline
    private static boolean isUnshown(int number) {
        long blocks = OVERFLOW;
        return U != null && number < TAG_NONE
            && (U.getByte(null, blocks - UNSHOWN_BEFORE + (number >>> 3)) & 1 << (number & 7)) != 0;
    }

    /** Where nobody else can know the object. */
    @ForceInline
    @Hidden
    private static void put(Object made, int number, boolean isNew) {
        if (U == null) {
            return;
        }
        if (U.getLong(made, 0L) == NEW) {
            U.putInt(made, 4L, tag(number) << TAG_SHIFT - 32);
        } else {
            known(made, number, isNew);
        }
    }

    /** Where others may be locking it. */
    @ForceInline
    @Hidden
    private static void putAtomically(Object made, int number, boolean isNew) {
        if (U != null && (U.getLong(made, 0L) != NEW || !replace(made, NEW, number))) {
            known(made, number, isNew);
        }
    }

    /** The tag that a word of a node has, or a new one. The words are the thread's own. */
    @ForceInline
    private static int given(long node, int word) {
        long address = counted(node, word);
        int tag = (int) U.getLong(null, address);
        return (tag != 0 ? tag : give(address)) & TAG_OTHERS;
    }

    /** A word of the first block. The name is what {@link $Mallard#counted} is changed to: the class has to have it. */
    private static long at(int word) {
        return OVERFLOW + ((long) word << 3);
    }

    private static int give(long address) {
        long last = at(TAGS);
        long tag = U.getLongVolatile(null, last) < TAG_NONE ? U.getAndAddLong(null, last, 1) + 1 : TAG_NONE;
        tag = tag < TAG_NONE ? tag : giveAgain();
        U.putLong(null, address, tag);
        return (int) tag;
    }

    /** A tag that no object has any more, and its turn, if there is one. */
    private static int giveAgain() {
        long blocks = OVERFLOW, again = blocks - AGAIN_BEFORE;
        long next = U.getLongVolatile(null, again + AGAIN_TAKEN);
        while (next < U.getLongVolatile(null, again + AGAIN_OFFERED)) {
            int tag = U.getInt(null, again + AGAIN_TAGS + ((next & AGAIN_MOST - 1) << 2));
            if (U.compareAndSetLong(null, again + AGAIN_TAKEN, next, next + 1)) {
                return tag;
            }
            next = U.getLongVolatile(null, again + AGAIN_TAKEN);
        }
        return TAG_OTHERS;
    }

    /** Adds a tag to a header, if that is still as it was. */
    @ForceInline
    private static boolean replace(Object made, long header, int number) {
        return U.compareAndSetLong(made, 0L, header, header | (long) tag(number) << TAG_SHIFT);
    }

    /** The numbers that there is no room for have one tag. */
    @ForceInline
    private static int tag(int number) {
        return number < TAG_NONE ? number : TAG_OTHERS;
    }

    /**
     * Whether headers have room for tags, and not what compact ones have there: the class. The object that is looked at
     * has no tag, since it was there before {@code U} was.
     */
    private static boolean hasRoom() {
        return U.getLong(U, 0L) >>> TAG_SHIFT == 0;
    }

    /**
     * Tags what the collector has moved, or who asked for its hash. What has a tag keeps it, unless it is known to be
     * new, or that tag says that there was none. The header of what is locked may be elsewhere: if that is new the
     * agent tags it, when nobody locks it.
     */
    private static void known(Object made, int number, boolean isNew) {
        long header = U.getLong(made, 0L);
        while ((header & HEADER_LOCK) == NEW && mayTag(header, isNew)) {
            long untagged = header << 64 - TAG_SHIFT >>> 64 - TAG_SHIFT;
            if (U.compareAndSetLong(made, 0L, header, untagged | (long) tag(number) << TAG_SHIFT)) {
                return;
            }
            header = U.getLong(made, 0L);
        }
        if (isNew && (header & NEW) == 0 && $MallardObjects.locates) {
            late(made, tag(number));
        }
    }

    /** Has an object tagged when the world is stopped next. */
    private static native void late(Object made, int tag);

    /** Has the VM look for {@link #late} while that can do no harm. */
    static void bindLate() {
        late(null, 0);
    }

    private static boolean mayTag(long header, boolean isNew) {
        long tag = header >>> TAG_SHIFT;
        return tag == 0 || (isNew || tag == TAG_NONE) && hasRoom();
    }
}
