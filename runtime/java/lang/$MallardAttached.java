package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Where a thread has the offset of its block in a JVM that was started without Mallard, whose {@link Thread} has no
 * field for it: in the place of the size of the stack that was asked for, which the VM reads when it starts a thread,
 * and nobody later (decision 0116). The recorder puts calls of these methods in the place of the field {@code $mallard}
 * in the other runtime classes, and the carrier in that of the current thread: a virtual thread has no such size.
 *
 * <p>The agent initialises it, and has given all threads their blocks, before any code counts.
 */
public final class $MallardAttached {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** Where a thread has the object that has the size, since JDK 19; -1: it has the size itself. */
    private static final long HOLDER = offset(Thread.class, "holder");

    private static final long SIZE = HOLDER < 0 ? offset(Thread.class, "stackSize") : offset(holder(), "stackSize");

    /** An agent is attached: it counts, or has gone with classes that it could not change back. */
    private static boolean attached;

    /** What the agents before have left of numbers for counters: from here on none counts in a frame that is left. */
    private static int counters;

    /** Address of what the native methods of the first agent's library call; 0 before there was one. */
    private static long natives;

    private $MallardAttached() {}

    private static long offset(Class<?> of, String field) {
        try {
            return UNSAFE.objectFieldOffset(of, field);
        } catch (InternalError none) {
            return -1;
        }
    }

    private static Class<?> holder() {
        try {
            return Class.forName("java.lang.Thread$FieldHolder", false, null);
        } catch (ClassNotFoundException none) {
            return Thread.class;
        }
    }

    /** Ends the early time, which this JVM has long behind it. Called by the agent: the runtime cannot be used where it
     * is false. */
    private static boolean boot() {
        if (SIZE < 0) {
            return false;
        }
        $MallardThreads.boot();
        attached = true;
        return true;
    }

    /** Whether the VM finds native methods: no code that counts may run before. Called by the agent. */
    private static boolean links() {
        try {
            $MallardObjects.bindSize();
            return true;
        } catch (UnsatisfiedLinkError notYet) {
            return false;
        }
    }

    /** The offset of the block of a platform thread, 0 for none. (One that is being constructed may have no object for
     * the size yet.) */
    @ForceInline
    @Hidden
    static long block(Thread thread) {
        if (HOLDER < 0) {
            return UNSAFE.getLong(thread, SIZE);
        }
        Object holder = UNSAFE.getReference(thread, HOLDER);
        return holder == null ? 0 : UNSAFE.getLong(holder, SIZE);
    }

    /** Nothing: the agent gives threads their blocks. */
    @ForceInline
    @Hidden
    static void block(Thread thread, long block) {}
}
