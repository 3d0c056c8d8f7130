package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Which block a thread counts in, from the early time on, in which there is none: what the JDK's methods call that
 * start threads and mount virtual ones.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardThreads {
    /** Address of the table of blocks' states, a 32-bit word each. */
    private static final long STATES = FACT_STATES;

    /** Number of blocks. */
    private static final long BLOCKS = FACT_BLOCKS;

    /** Bytes of a block. */
    private static final long BLOCK_BYTES = FACT_BLOCK_BYTES;

    /** Page of the VM's first thread, the one that is main later. */
    private static final long PRIMORDIAL = FACT_PRIMORDIAL;

    // In a thread's block.

    /** 1 while JVMTI does not tell the stack: in a carrier's block while a virtual thread is being mounted or
     * unmounted, in a virtual thread's while it yields. */
    private static final int TRANSITION = WORD_TRANSITION;

    /** Address of the first counter of what a virtual thread's stack is put into, if it stops while it yields. */
    private static final int STOPS = WORD_STOPS;

    private $MallardThreads() {}

    /**
     * Ends the early time. Called first thing in Thread.start: no second thread has run before that, and the VM has by
     * then set the constants that Unsafe takes over when it is initialised. (Sooner would break it: allocateMemory
     * would round every size to 0.)
     */
    @Hidden
    public static void boot() {
        if (U == null) {
            Unsafe unsafe = Unsafe.getUnsafe();
            for (int i = 0; i < early.length; i++) {
                if (early[i] != 0) {
                    unsafe.putLong(null, address(i), early[i]);
                }
            }
            $MallardObjects.find(unsafe);
            $MallardClasses.find(unsafe);
            $MallardVM.find(unsafe);
            if (is(CONTEXTS)) {
                enterNext(early[NEXT], early[CALLED]);
            }
            U = unsafe;
            $MallardVM.countEarly();
            early = null;
            firstBlock(Thread.currentThread()); // before the thread that is being started can take it
        }
    }

    /** Where a word of the early time goes. */
    static long address(int early) {
        return early < earlyCounters ? PRIMORDIAL + ((long) early << 3) : NODES + $Mallard.early[CHUNK] +
            ((long) (early - earlyCounters) << 3);
    }

    /**
     * Gives the running thread a block if it has none. Called first thing by what the VM calls in a thread before the
     * agent hears of it: the constructors of Thread for one that is attaching, the body of a virtual thread that has a
     * platform thread of its own.
     */
    @Hidden
    public static void own() {
        if (U != null) {
            block();
        }
    }

    /**
     * Lends the carrier's block to a virtual thread that is being mounted. Called first thing in VirtualThread.mount.
     * With contexts it keeps a block of its own while it lives, because its frames have nodes: carriers may change
     * between two of their instructions.
     */
    @Hidden
    public static void mount(Thread virtual) {
        if (!is(CONTEXTS)) {
            virtual.$mallard = Thread.currentCarrierThread().$mallard;
        } else {
            hide();
            if (virtual.$mallard == 0) {
                virtual.$mallard = virtualBlock() - SHARED;
            }
        }
    }

    /** Takes the block of a virtual thread that has ended. Called first thing in VirtualThread.afterTerminate, by the
     * carrier. */
    @Hidden
    public static void terminated(Thread virtual) {
        long block = blockOf(virtual);
        show();
        if (is(CONTEXTS) && block != 0 && block != OVERFLOW) {
            transition(block, 0);
            U.putLong(null, block + (INSIDE << 3), 0);
            virtual.$mallard = 0;
            long number = (block - OVERFLOW) / BLOCK_BYTES;
            U.putIntVolatile(null, STATES + (number << 2), BLOCK_VIRTUAL_IDLE);
            if (number < hint) {
                hint = number;
            }
        }
    }

    /** The number of the running thread's block. */
    static int blockNumber() {
        return (int) ((block() - OVERFLOW) / BLOCK_BYTES);
    }

    /** Says that JVMTI does not tell the stack of the running thread, for that changes. */
    @DontInline
    @Hidden
    public static void hide() {
        transition(1);
    }

    /** Says that it does again. */
    @DontInline
    @Hidden
    public static void show() {
        transition(0);
    }

    /** Says that a thread has started, a virtual one included: JVMTI tells its stack. Called first thing in
     * Thread.runWith, and in what VirtualThread.run initialises before that. */
    @DontInline
    @Hidden
    public static void started() {
        if (U != null) {
            show();
        }
    }

    private static void transition(long now) {
        transition(blockOf(Thread.currentCarrierThread()), now);
        transition(blockOf(Thread.currentThread()), now);
    }

    /** The address of a thread's block, 0 for none. */
    private static long blockOf(Thread thread) {
        long block = thread.$mallard;
        return block == 0 ? 0 : block + SHARED;
    }

    /**
     * Says that a virtual thread goes on, unless it has not started yet. Where a monitor has taken it off its carrier,
     * the VM ends the transition without any Java code. Where it yielded, it is hidden until that returns. Called
     * before Continuation.isStarted returns, after which nothing is called but the VM.
     */
    @DontInline
    @Hidden
    public static void resumes(boolean started) {
        if (started) {
            transition(blockOf(Thread.currentCarrierThread()), 0);
        }
    }

    /** Says that a continuation has stopped, maybe by a monitor, of which it does not know. Called first thing in
     * Continuation.fence. */
    @DontInline
    @Hidden
    public static void left() {
        Thread carrier = Thread.currentCarrierThread();
        if (Thread.currentThread() != carrier) { // until unmount
            transition(blockOf(carrier), 1);
        }
    }

    private static void transition(long block, long now) {
        if (block != 0 && block != OVERFLOW && is(CONTEXTS)) {
            U.putLong(null, block + (TRANSITION << 3), now);
        }
    }

    @DontInline
    static boolean hidden() {
        long carrier = blockOf(Thread.currentCarrierThread());
        long own = blockOf(Thread.currentThread());
        return carrier == 0 || carrier == OVERFLOW || own == 0 ||
            (U.getLong(null, carrier + (TRANSITION << 3)) | U.getLong(null, own + (TRANSITION << 3))) != 0;
    }

    /** Says where to count what the stack of the running thread is put into if it stops while it yields. */
    static void stops(long address) {
        put(wordAt(STOPS), address);
    }

    /** Gives what the current thread, which has stopped, has said so; 0 unless it was yielding: then it is hidden. */
    static long stopped() {
        return get(wordAt(TRANSITION)) == 0 ? 0 : get(wordAt(STOPS));
    }

    /** Where a block for a virtual thread may be had: mostly those before it are taken, so that few ever are used. */
    private static long hint;

    private static long virtualBlock() {
        long first = hint;
        for (long i = 0; i < BLOCKS; i++) {
            long block = (first + i) % BLOCKS;
            int state = U.getIntVolatile(null, STATES + (block << 2));
            if (block != 0 && (state == BLOCK_FREE || state == BLOCK_VIRTUAL_IDLE) &&
                U.compareAndSetInt(null, STATES + (block << 2), state, BLOCK_VIRTUAL)) {
                hint = block + 1;
                return OVERFLOW + block * BLOCK_BYTES;
            }
        }
        return OVERFLOW;
    }

    /** Says by what this thread enters the next method. */
    private static void enterNext(long entry, long called) {
        Thread.currentThread().$next = entry;
        if (called != 0) {
            Thread.currentThread().$called = (int) called; // there is no such field where it stays 0
        }
    }

    @DontInline
    static long firstBlock(Thread thread) {
        Thread carrier = Thread.currentCarrierThread();
        if (carrier.$mallard == 0) {
            carrier.$mallard = takeBlock() - SHARED;
        }
        thread.$mallard = carrier.$mallard;
        return blockOf(thread);
    }

    /**
     * Takes a free block for a thread that the agent has not given one: the first caller is the thread that initialises
     * the VM, and its is the primordial block, which it has counted in before; others are attaching to the VM.
     */
    private static long takeBlock() {
        for (long block = 1; block < BLOCKS; block++) {
            if (U.compareAndSetInt(null, STATES + (block << 2), BLOCK_FREE, BLOCK_LIVE)) {
                return OVERFLOW + block * BLOCK_BYTES;
            }
        }
        return OVERFLOW;
    }
}
