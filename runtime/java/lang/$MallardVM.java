package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented code calls to count what the VM makes by itself: exceptions, what it records a stack in, and what
 * it puts the stack of a virtual thread into.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardVM {
    /** Where a Throwable has its backtrace; 0 until boot. */
    @Stable private static long backtrace;

    /** Where a Throwable has its message; 0 until boot. */
    @Stable private static long message;

    /** Where a Class has its name, for the agent; 0 until boot. */
    static long className;

    /**
     * Where a continuation has the chunk that its stack was put into last, and where the last that was counted, a field
     * that Mallard adds; where a chunk has the one that lies below it. 0 until a continuation has stopped.
     */
    @Stable private static long tail;
    @Stable private static long countedTail;
    @Stable private static long parentChunk;

    private $MallardVM() {}

    /** Finds the fields. Called at boot. */
    static void find(Unsafe unsafe) {
        backtrace = unsafe.objectFieldOffset(Throwable.class, "backtrace");
        className = unsafe.objectFieldOffset(Class.class, "name");
        message = unsafe.objectFieldOffset(Throwable.class, "detailMessage");
    }

    /**
     * Counts an exception, and its message, if the VM or native code has made it: then no bytecode shows it. Called
     * last thing in the constructors of classes whose objects the VM makes.
     */
    @Hidden
    public static void thrown(Throwable made) {
        thrown(made, 0);
    }

    /** The same in the constructor's node, whose caller is where the exception was thrown. */
    @Hidden
    public static void thrown(Throwable made, long node, int word) {
        thrown(made, counted(node, word));
    }

    /** @param address of the first counter; 0: that of the place */
    private static void thrown(Throwable made, long address) {
        if (U == null || !locates) {
            return;
        }
        try {
            int counter = locate(made);
            if (counter >= 0) {
                long first = address == 0 ? at(counter) : address;
                countOne(made, first);
                Object text = U.getReference(made, message);
                if (text != null) {
                    countOne(text, first + ARRAYS_NEXT);
                    countOne(U.getReference(text, value), first + 2 * ARRAYS_NEXT);
                }
            }
        } catch (Throwable mine) {
            // A full stack, or no memory: the exception has no site.
        }
    }

    /**
     * The first of the counters for what is being thrown, by the instruction that throws; with contexts, which need
     * none, any number; -1 if it is not the VM's. Found as {@link $Mallard#rewrite} is.
     */
    private static native int locate(Throwable made);

    /**
     * Adds the arrays that the VM has recorded the stack in for a Throwable: for every 32 frames one that has the next
     * such chunk, three arrays of numbers and one of class mirrors. As {@link #nested}, for four types one after
     * another: Object[], short[], int[], long[].
     */
    @Hidden
    public static void backtrace(Throwable thrown, int counter) {
        backtrace(thrown, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void backtrace(Throwable thrown, long node, int word) {
        backtrace(thrown, counted(node, word));
    }

    private static void backtrace(Throwable thrown, long address) {
        if (U == null) {
            return;
        }
        Object at = U.getReference(thrown, backtrace);
        while (at instanceof Object[]) {
            Object[] chunk = (Object[]) at;
            at = null;
            Object methods = null;
            measure(chunk, address);
            for (Object part : chunk) {
                if (part instanceof short[]) {
                    if (methods == null) { // the VM marks a hidden frame with another reference to it
                        methods = part;
                        measure(part, address + ARRAYS_NEXT);
                    }
                } else if (part instanceof int[]) {
                    measure(part, address + 2 * ARRAYS_NEXT);
                } else if (part instanceof long[]) {
                    measure(part, address + 3 * ARRAYS_NEXT);
                } else if (part instanceof Object[]) {
                    if (((Object[]) part)[0] instanceof short[]) {
                        at = part;
                    } else {
                        measure(part, address);
                    }
                }
            }
        }
    }

    private static void measure(Object array, long address) {
        int layout = layout(array);
        long length = java.lang.reflect.Array.getLength(array);
        U.putLong(null, address, U.getLong(null, address) + 1);
        U.putLong(null, address + ARRAYS_ELEMENTS, U.getLong(null, address + ARRAYS_ELEMENTS) + length);
        long bytes = address + ARRAYS_BYTES;
        U.putLong(null, bytes, U.getLong(null, bytes) + align(header(layout) + (length << shift(layout))));
    }

    /**
     * Counts what the VM has made to put the stack of a virtual thread into that has stopped. Mostly it uses what is
     * there already. As {@link #nested} for one array.
     */
    @Hidden
    public static void stopped(Object continuation, int counter) {
        stopped(continuation, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void stopped(Object continuation, long node, int word) {
        stopped(continuation, counted(node, word));
    }

    private static void stopped(Object continuation, long address) {
        if (U == null || !locates) {
            return;
        }
        try {
            if (tail == 0) {
                findTail(continuation);
            }
            Object chunk = U.getReference(continuation, tail);
            Object counted = U.getReference(continuation, countedTail);
            if (chunk == counted) {
                return;
            }
            U.putReference(continuation, countedTail, chunk);
            if (chunk == null) {
                return;
            }
            if (parentChunk == 0) {
                parentChunk = U.objectFieldOffset(chunk.getClass(), "parent");
            }
            while (counted != null) { // one that has become empty is left, and the one below is used again
                counted = U.getReference(counted, parentChunk);
                if (counted == chunk) {
                    return;
                }
            }
            add(address, 1);
            add(address + ARRAYS_BYTES, size(chunk));
        } catch (Throwable mine) {
            // a full stack, or another kind of continuation: what was made has no site
        }
    }

    private static void findTail(Object continuation) {
        Class<?> of = continuation.getClass();
        while (of.getSuperclass() != Object.class) {
            of = of.getSuperclass();
        }
        countedTail = U.objectFieldOffset(of, "$mallard");
        tail = U.objectFieldOffset(of, "tail");
    }
}
