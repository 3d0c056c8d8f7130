package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * What instrumented code calls around what compilers may replace by code of their own: methods say that they have
 * executed, and their callers count where these have not.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardReplaced {
    /** How many builders have made Strings by executing toString. */
    private static final int CHAINS = WORD_CHAINS;

    /** 1 if a method that compilers replace has executed since somebody looked. */
    private static final int RAN = WORD_RAN;

    /** Counters of arrays: how many, their elements, their bytes. */
    private static final int COUNTERS = 3;

    private $MallardReplaced() {}

    /**
     * Says that a builder makes a String by executing toString: called first thing in that. C2 may have put code of its
     * own in the place of all that is done with a builder (OptimizeStringConcat); then nobody calls this.
     */
    @ForceInline
    @Hidden
    public static void chainEnds() {
        if (U != null && executed == 0) {
            long address = Thread.currentThread().$mallard + SHARED + (CHAINS << 3);
            U.putInt(null, address, U.getInt(null, address) + 1);
        }
    }

    /**
     * Says the same of the String, where that has a field for it: called before toString returns. Of one that is being
     * concatenated, it says that its array is another's, or deferred.
     */
    @ForceInline
    @Hidden
    public static void chainMade(String made) {
        if (U != null && executed != 0 && made != null) {
            U.putByte(made, executed, (byte) 1);
        }
    }

    /** Says of a String of a single argument that it has been concatenated, and its array is its own. */
    @ForceInline
    @Hidden
    public static void ownMade(String made) {
        if (U != null && executed != 0 && made != null) {
            U.putByte(made, executed, (byte) 2);
        }
    }

    /**
     * How many times {@link #chainEnds} has been called in the running thread; the numbers of two carriers of one
     * virtual thread are not the same.
     */
    @ForceInline
    @Hidden
    public static int chainsEnded() {
        if (U == null || executed != 0) {
            return 0;
        }
        long block = Thread.currentThread().$mallard;
        return U.getInt(null, block + SHARED + (CHAINS << 3)) + (int) (block >>> 12) * 0x9e3779b9;
    }

    /** Says that a method has executed that compilers may replace. Called before it returns. */
    @ForceInline
    @Hidden
    public static void ran() {
        if (U != null) {
            U.putInt(null, Thread.currentThread().$mallard + SHARED + (RAN << 3), 1);
        }
    }

    /** Whether it has executed since somebody asked. */
    @ForceInline
    private static boolean hasRun() {
        long address = Thread.currentThread().$mallard + SHARED + (RAN << 3);
        int ran = U.getInt(null, address);
        U.putInt(null, address, 0);
        return ran != 0;
    }

    /**
     * Counts what a chain of calls on a builder has made if a compiler has replaced it: a String and its array, and no
     * builder. Otherwise those who have been called have counted.
     *
     * @param before how many builders had executed toString before it was called
     */
    @ForceInline
    @Hidden
    public static void chainEnded(int before, String made, int counter) {
        if (U != null && wasReplaced(before, made)) {
            array1(((byte[]) U.getReference(made, value)).length, counter);
        }
    }

    @ForceInline
    private static boolean wasReplaced(int before, String made) {
        return executed != 0 ? U.getByte(made, executed) == 0 : chainsEnded() == before;
    }

    /**
     * The same where the builder has not been counted yet: the counter behind those of the String's array is its own.
     */
    @ForceInline
    @Hidden
    public static void chainOver(int before, String made, int counter) {
        if (U == null || !wasReplaced(before, made)) {
            count(counter + COUNTERS);
        } else {
            array1(((byte[]) U.getReference(made, value)).length, counter);
        }
    }

    /** The same in a node, where nobody calls it either. */
    @Hidden
    public static void chainOver(int before, String made, long node, int word) {
        if (U == null || !wasReplaced(before, made)) {
            count(node, word + COUNTERS);
        } else {
            array1(((byte[]) U.getReference(made, value)).length, node, word);
        }
    }

    /** The same in a node, where nobody calls it: what contexts store at each call leaves no chain to replace. */
    @Hidden
    public static void chainEnded(int before, String made, long node, int word) {
        if (U != null && wasReplaced(before, made)) {
            array1(((byte[]) U.getReference(made, value)).length, node, word);
        }
    }

    /** Counts what a call has made if a compiler has put code of its own in the place of the method called. As {@link
     * #nested} for one array. */
    @ForceInline
    @Hidden
    public static void replaced(Object made, int counter) {
        if (U != null && !hasRun()) {
            countOne(made, at(counter));
        }
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void replaced(Object made, long node, int word) {
        if (U != null && !hasRun()) {
            countOne(made, counted(node, word));
        }
    }

    /** Counts what a call has returned unless it was given that to write to. As {@link #nested} for one array. */
    @ForceInline
    @Hidden
    public static void fresh(Object made, Object given, int counter) {
        if (U != null && made != given) {
            countOne(made, at(counter));
        }
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void fresh(Object made, Object given, long node, int word) {
        if (U != null && made != given) {
            countOne(made, counted(node, word));
        }
    }
}
