package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Snapshots every so many bytecodes. Classes of the program tell the thread how many they execute, and a thread that
 * has executed as many as are between two snapshots asks for one and waits until it has been taken. So in a program of
 * one thread the same ones are taken in each run, at the same bytecodes. Threads count for themselves.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules, but only where such snapshots are wanted.
 */
public final class $MallardBytecodes {
    /** Bytecodes between two snapshots. A fact, as in $Mallard. */
    private static final long EVERY = FACT_EVERY;

    // Words of a thread's block.

    /** Bytecodes that the thread has executed in classes of the program. */
    private static final int EXECUTED = WORD_EXECUTED;

    /** How many it will have executed at its next snapshot; 0 before it has executed any. */
    private static final int NEXT = WORD_NEXT_SNAPSHOT;

    /** The VM has found {@link #snapshot}. */
    private static boolean bound;

    private $MallardBytecodes() {}

    /**
     * Adds to what the running thread has executed; less than 0 where more was told of a path than an exception has
     * left of it. A counter is about to be updated by as many: what was executed before is counted, and a snapshot has
     * it.
     */
    @ForceInline
    @Hidden
    public static void passed(int bytecodes) {
        if (U == null) {
            return; // the program has not begun
        }
        long block = block();
        long executed = U.getLong(null, block + (EXECUTED << 3));
        if (executed >= U.getLong(null, block + (NEXT << 3))) {
            reached(block, executed);
        }
        U.putLong(null, block + (EXECUTED << 3), executed + bytecodes);
    }

    @DontInline
    @Hidden
    private static void reached(long block, long executed) {
        long next = U.getLong(null, block + (NEXT << 3));
        if (next == 0) {
            next = EVERY;
        }
        if (executed >= next && bound) {
            long chosen = snapshot(executed);
            next += chosen > 0 ? chosen : EVERY;
        }
        U.putLong(null, block + (NEXT << 3), next);
    }

    /** Has the VM look for {@link #snapshot} while the Java code that it runs for that can do no harm. Called by the
     * agent once the VM is initialised. */
    @Hidden
    private static void bind() {
        snapshot(0);
        bound = true;
    }

    /**
     * Has a snapshot taken, and the user's class called that wants to know of it. Found as {@link $Mallard}'s own.
     *
     * @return bytecodes from the last snapshot that was due to the thread's next; 0 for as many as ever
     */
    private static native long snapshot(long executed);
}
