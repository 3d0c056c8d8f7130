package java.lang;

import static java.lang.$MallardABI.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented code calls: counters that belong to the running thread.
 *
 * <p>Every thread that counts owns a block: an array of 64-bit counters in memory shared with the recorder. Where it
 * is, relative to {@link #SHARED}, is in the field {@code $mallard} that Mallard adds to {@link Thread}, so an
 * increment is a load, an add and a store without any branch or atomic instruction, and exact because no other thread
 * writes there. A virtual thread borrows the block of its carrier each time it is mounted; none of the methods here can
 * yield between reading the address and using it.
 *
 * <p>What instrumented code calls most often is written out and calls hardly anything itself: while C1 profiles, it
 * counts each call that it inlines, in code of 70 bytes or so.
 *
 * <p>{@link $MallardThreads} gives threads their blocks; {@link $MallardObjects}, {@link $MallardVM} and {@link
 * $MallardReplaced} count what others make; {@link $MallardTree}, {@link $MallardHash}, {@link $MallardCode}, {@link
 * $MallardTransactions} and {@link $MallardEntered} are for contexts. The agent defines them all in java.base before
 * the first bytecode runs. Nothing here allocates or throws.
 *
 * <p>For each class that a new class names the JVM calls its loader. So those that code calls most extend each other:
 * the objects' this one, and those of contexts the objects'. Code calls what they inherit by the last one's name.
 */
public class $Mallard {
    // Facts about this JVM, which the recorder writes over these constants in the class file it hands to the agent.
    // The compiler must find nothing to fold: each stands beside a variable wherever it is used.

    /** Header bytes of arrays with elements of 1, 2 and 4 bytes, of 8 bytes, and of references. */
    static final long BASE = FACT_ARRAY_BASE;
    static final long BASE8 = FACT_ARRAY_BASE8;
    static final long BASE_REF = FACT_ARRAY_BASE_REF;

    /** Bytes of a reference. */
    static final long REFERENCE = FACT_REFERENCE;

    /** Bytes to which objects are aligned, less 1. */
    private static final long ALIGNMENT_MASK = FACT_ALIGNMENT_MASK;

    /** Address of block 0, which the threads share that find no block. */
    static final long OVERFLOW = FACT_OVERFLOW;

    /**
     * What {@code Thread.$mallard} is relative to. There is block 0, seen a second time, below 2 GB where possible:
     * what a thread counts that has no block yet goes there, without a look at the field, and compiled code has the sum
     * of this and a counter's offset as a displacement.
     */
    static final long SHARED = FACT_SHARED;

    /** 1 where contexts are recorded, else 0. */
    static final long CONTEXTS = FACT_CONTEXTS;

    /** Address that offsets of nodes are relative to; some memory there is zero. */
    static final long NODES = FACT_NODES;

    /** Offset of the nodes of the early time. */
    static final long EARLY_NODES = FACT_EARLY_NODES;

    /** Addresses of the offset of the first byte that no thread has taken for nodes, and of the last that one may
     * take. */
    static final long TOP = FACT_TOP;
    static final long LIMIT = FACT_LIMIT;

    /**
     * Address of 24 bytes a method: the number of its name, that of its first call's, the offset of its node in a
     * block, the words of a node, how many calls, negative for constructors of exceptions.
     */
    static final long METHODS = FACT_METHODS;

    /** Address of 12 bytes a call: the number of its name, what it announces, where it is in the method's code. */
    static final long CALLS = FACT_CALLS;

    /** How many counters the early time has. */
    private static final long EARLY = FACT_EARLY;

    // The runtime classes' own words in a thread's block.

    /** Arrays that are to be counted by whoever asked for them, their elements, their bytes. */
    private static final int DEFERRED = WORD_DEFERRED;

    /** In the early time, by what the next method is entered; later that is in the thread. */
    static final int NEXT = WORD_NEXT;

    /** Offsets of the memory for nodes that is left of the thread's last chunk, of its end, and of the chunk. */
    static final int FREE = WORD_FREE;
    static final int END = WORD_END;
    static final int SPANS = WORD_SPANS;
    static final int RECLAIM = WORD_RECLAIM;
    static final int CHUNK = WORD_CHUNK;

    /** In the early time, the announcement of the call; later that is in the thread. */
    static final int CALLED = WORD_CALLED;

    /** The thread's table of hashes, as in {@code Thread.$table}; how many there are. */
    static final int TABLE = WORD_TABLE;
    static final int HASHES = WORD_HASHES;

    /** Which turn of the block's tree it is. */
    static final int TURN = WORD_TURN;

    /** The node of the innermost transaction that the thread is in; 0 for none. */
    static final int TRANSACTION = WORD_TRANSACTION;

    /** The node of the innermost transaction that the thread has entered; 0 for none. */
    static final int INSIDE = WORD_INSIDE;

    /** In the first thread's block, bytes of the arrays of the early time, which the program has not asked for. */
    static final int OWN = WORD_OWN_BYTES;

    /** By what is entered what the VM calls; 0 before the thread's first node. */
    static final int OUTERMOST = WORD_OUTERMOST;

    /**
     * Null until the VM's first thread starts a second one. The VM is being initialised then: Unsafe may not be touched
     * yet, and at first there is no object for the current thread. The compilers take it for a constant ever after.
     */
    @Stable static Unsafe U;

    /**
     * Counts of that time, in which one thread runs. There are more numbers than the classes that are loaded by then
     * have. Nodes stand behind the counters, and take more room when they need it. (Where the recorder goes away before
     * that time has ended, it never does, and several threads write here: what they write is never read, and no index
     * leads out.)
     */
    static final int earlyCounters = narrow(EARLY);

    /** The bits of aligned sizes; a constant to compilers, but not to javac. */
    private static final long ALIGNED = others(ALIGNMENT_MASK);

    static long[] early = earlyWords(CONTEXTS);

    $Mallard() {}

    private static long[] earlyWords(long contexts) {
        long[] words = new long[contexts == 0 ? earlyCounters : earlyCounters < 1 << 17 ? 1 << 17 : 2 * earlyCounters];
        words[OWN] = bytes(words);
        return words;
    }

    /** Bytes of an array. */
    static long bytes(long[] words) {
        return align(BASE8 + ((long) words.length << 3));
    }

    private static long others(long bits) {
        return ~bits;
    }

    private static int narrow(long fact) {
        return (int) fact;
    }

    /**
     * Overflows the stack unless there is room for whatever else instrumented code calls here. Methods that count call
     * it first thing, with 0, when nothing is owed yet. Its frame is larger than a page: the recorder gives it locals
     * that it does not use. Compiled as a part of another method it is nothing.
     */
    @ForceInline
    @Hidden
    public static void probeStack(int none) {
        if (none != 0) {
            more(none);
        }
    }

    /** Never called, but compilers cannot know. */
    @DontInline
    private static void more(int none) {}

    /** Adds 1 to a counter of the running thread. */
    @ForceInline
    @Hidden
    public static void count(int counter) {
        if (U == null) {
            early[counter & early.length - 1]++; // an exception so early would be the end of the VM
            return;
        }
        long address = Thread.currentThread().$mallard + (SHARED + ((long) counter << 3));
        U.putLong(null, address, U.getLong(null, address) + 1);
    }

    /** Adds bytecodes to a counter of the running thread, where an exception has left a path. */
    @Hidden
    public static void executed(int bytecodes, int counter) {
        add(at(counter), bytecodes);
    }

    /** The same in a node. */
    @Hidden
    public static void executed(int bytecodes, long node, int word) {
        add(counted(node, word), bytecodes);
    }

    /** As {@link #count(int)} for a word of a node. */
    @ForceInline
    @Hidden
    public static void count(long node, int word) {
        long address = counted(node, word);
        if (U == null) {
            early[(int) (address >>> 3) & early.length - 1]++;
            return;
        }
        U.putLong(null, address, U.getLong(null, address) + 1);
    }

    /** The address of a counter of the running thread; in the early time, eight times its index. */
    @ForceInline
    static long at(int counter) {
        return (U == null ? 0 : Thread.currentThread().$mallard + SHARED) + ((long) counter << 3);
    }

    /** The same of a word of a block that has to be the thread's own: where it has none yet, it takes one. */
    @ForceInline
    static long wordAt(int word) {
        return (U == null ? 0 : block()) + ((long) word << 3);
    }

    /** The same for a word of a node. */
    @ForceInline
    static long at(long node, int word) {
        return (U == null ? node - EARLY_NODES + (earlyCounters << 3) : NODES + node) + ((long) word << 3);
    }

    /**
     * Where an invocation counts whose node is one of the thread's own: there, or in the transaction that the thread
     * has entered. Until one has, {@link #at} is called in its place: the recorder changes the name in the classes that
     * it hands out, and hands out others then.
     */
    @ForceInline
    static long counted(long node, int word) {
        return at($MallardEntered.here(node), word);
    }

    @ForceInline
    static long get(long address) {
        return U == null ? early[(int) (address >>> 3) & early.length - 1] : U.getLong(null, address);
    }

    @ForceInline
    static void put(long address, long value) {
        if (U == null) {
            early[(int) (address >>> 3) & early.length - 1] = value;
        } else {
            U.putLong(null, address, value);
        }
    }

    @ForceInline
    static void add(long address, long value) {
        put(address, get(address) + value);
    }

    // An array whose length is computed has three counters side by side: how many arrays, their elements, their bytes.
    // Three updates, and no branch, are less to C2 than one of a word that has all three and has to be emptied at
    // times: the call that does so keeps it from unrolling loops.

    /** Adds an array of 1-byte elements to the first of its three counters and the two behind it. */
    @ForceInline
    @Hidden
    public static void array1(int length, int counter) {
        addArray(length, BASE + length, at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array1(int length, long node, int word) {
        addArray(length, BASE + length, counted(node, word));
    }

    /** As {@link #array1} for 2-byte elements. */
    @ForceInline
    @Hidden
    public static void array2(int length, int counter) {
        addArray(length, BASE + ((long) length << 1), at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array2(int length, long node, int word) {
        addArray(length, BASE + ((long) length << 1), counted(node, word));
    }

    /** As {@link #array1} for 4-byte elements. */
    @ForceInline
    @Hidden
    public static void array4(int length, int counter) {
        addArray(length, BASE + ((long) length << 2), at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array4(int length, long node, int word) {
        addArray(length, BASE + ((long) length << 2), counted(node, word));
    }

    /** As {@link #array1} for 8-byte elements. */
    @ForceInline
    @Hidden
    public static void array8(int length, int counter) {
        addArray(length, BASE8 + ((long) length << 3), at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array8(int length, long node, int word) {
        addArray(length, BASE8 + ((long) length << 3), counted(node, word));
    }

    /** As {@link #array1} for references. */
    @ForceInline
    @Hidden
    public static void arrayRef(int length, int counter) {
        addArray(length, BASE_REF + length * REFERENCE, at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void arrayRef(int length, long node, int word) {
        addArray(length, BASE_REF + length * REFERENCE, counted(node, word));
    }

    /** As {@link #arrayRef}; an array that takes the place of one before is counted at the site behind. */
    @ForceInline
    @Hidden
    public static void arrayAfter(int length, Object before, int counter) {
        addArray(length, BASE_REF + length * REFERENCE, at(before == null ? counter : counter + ARRAYS_NEXT / 8));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void arrayAfter(int length, Object before, long node, int word) {
        addArray(length, BASE_REF + length * REFERENCE, counted(node, before == null ? word : word + ARRAYS_NEXT / 8));
    }

    /** Adds an array of {@code size} bytes, to be aligned. Interpreted, it calls no deeper than methods have probed. */
    @ForceInline
    static void addArray(long length, long size, long address) {
        if (U == null) {
            add(address, 1);
            add(address + ARRAYS_ELEMENTS, length);
            add(address + ARRAYS_BYTES, align(size));
        } else {
            long bytes = align(size);
            U.putLong(null, address, U.getLong(null, address) + 1);
            U.putLong(null, address + ARRAYS_ELEMENTS, U.getLong(null, address + ARRAYS_ELEMENTS) + length);
            U.putLong(null, address + ARRAYS_BYTES, U.getLong(null, address + ARRAYS_BYTES) + bytes);
        }
    }

    @ForceInline
    static long align(long size) {
        return size + ALIGNMENT_MASK & ALIGNED;
    }

    /**
     * Gives what a class is to be defined from in place of {@code bytes}, if it is a hidden one: the VM shows those to
     * no agent. Called first thing by the one method of the JDK that defines them.
     */
    @Hidden
    public static byte[] hidden(ClassLoader loader, byte[] bytes, int flags) {
        final int hiddenClass = 2; // MethodHandleNatives.Constants.HIDDEN_CLASS
        if (U == null || (flags & hiddenClass) == 0 || bytes == null) {
            return bytes;
        }
        try {
            byte[] counting = rewrite(loader, bytes);
            return counting != null ? counting : bytes;
        } catch (Throwable mine) {
            return bytes;
        }
    }

    /** Asks the recorder; null leaves the class as it is. The VM finds it in the agent's library, by its name, when it
     * is called for the first time. */
    static native byte[] rewrite(ClassLoader loader, byte[] bytes);

    // What is deferred is in three words. The first has the length of an array, and 1. Where there are more, of which
    // somebody has not counted one, it has how many, negative, and the others have their elements and bytes.

    /** Has a byte array counted by whoever asked for it, through code that does not count. */
    @ForceInline
    @Hidden
    public static void deferArray(Object array) {
        int length = ((byte[]) array).length;
        long deferred = at(DEFERRED);
        if (U != null && U.getInt(null, deferred) == 0) {
            U.putInt(null, deferred, length + 1);
        } else {
            deferAnother(length, deferred);
        }
    }

    /** The same in the early time, in which strings cannot be looked at. */
    @ForceInline
    @Hidden
    public static void deferEarly(Object array) {
        if (U == null) {
            deferArray(array);
        }
    }

    /** The same where there may be one already. */
    @DontInline
    @Hidden
    private static void deferAnother(int length, long deferred) {
        long before = deferred(deferred);
        if (before > 0) {
            put(deferred + ARRAYS_ELEMENTS, before - 1);
            put(deferred + ARRAYS_BYTES, align(BASE + before - 1));
            before = -1;
        } else if (before == 0) {
            put(deferred + ARRAYS_ELEMENTS, 0);
            put(deferred + ARRAYS_BYTES, 0);
        }
        defer(deferred, (int) before - 1);
        add(deferred + ARRAYS_ELEMENTS, length);
        add(deferred + ARRAYS_BYTES, align(BASE + length));
    }

    @ForceInline
    private static long deferred(long deferred) {
        return U == null ? get(deferred) : U.getInt(null, deferred);
    }

    @ForceInline
    private static void defer(long deferred, int value) {
        if (U == null) {
            put(deferred, value);
        } else {
            U.putInt(null, deferred, value);
        }
    }

    /** Adds the deferred arrays of this thread to counters of arrays. */
    @ForceInline
    @Hidden
    public static void countDeferred(int counter) {
        countDeferredAt(at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void countDeferred(long node, int word) {
        countDeferredAt(counted(node, word));
    }

    @ForceInline
    private static void countDeferredAt(long address) {
        long deferred = at(DEFERRED), next = deferred(deferred);
        if (next > 0) {
            defer(deferred, 0);
            addArray(next - 1, BASE + next - 1, address);
        } else if (next != 0) {
            add(address, countSeveral(address, deferred));
        }
    }

    /**
     * Adds a String that has been concatenated, and the deferred arrays: its own, if it does not share another's, and
     * seldom more. There is one more counter behind those of arrays, of how many arrays there are more than Strings.
     */
    @ForceInline
    @Hidden
    public static void concatenated(int counter) {
        concatenatedAt(at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void concatenated(long node, int word) {
        concatenatedAt(counted(node, word));
    }

    @ForceInline
    private static void concatenatedAt(long address) {
        long deferred = at(DEFERRED), next = deferred(deferred);
        if (next > 0) {
            defer(deferred, 0);
            addArray(next - 1, BASE + next - 1, address);
        } else {
            add(address, 1);
            add(address + ARRAYS_NEXT, next == 0 ? -1 : countSeveral(address, deferred) - 1);
        }
    }

    /** Adds elements and bytes of several arrays, and gives their number. */
    @DontInline
    @Hidden
    private static long countSeveral(long address, long deferred) {
        long arrays = -deferred(deferred);
        defer(deferred, 0);
        add(address + ARRAYS_ELEMENTS, get(deferred + ARRAYS_ELEMENTS));
        add(address + ARRAYS_BYTES, get(deferred + ARRAYS_BYTES));
        return arrays;
    }

    /** Has the deferred arrays of this thread counted by nobody; false where there are none. */
    @ForceInline
    static boolean forgetDeferred() {
        long deferred = at(DEFERRED);
        boolean are = deferred(deferred) != 0;
        defer(deferred, 0);
        return are;
    }

    /**
     * Has the VM look for {@link $MallardTree#resolve} while that can do no harm. Called by the agent once the VM is
     * initialised. What the VM called until then, which nobody was asked about, is not to be found any more: it calls
     * the same methods in others.
     */
    @Hidden
    private static void bind() {
        $MallardTree.resolve(0, 0, 0);
        $MallardTransactions.number(null);
        $MallardEntered.bind();
        $MallardObjects.bindSize();
        $MallardHash.bindFind(U.getLong(null, TOP));
        long outermost = get(wordAt(OUTERMOST));
        if (outermost != 0) {
            put(at(outermost & $MallardTree.NODE, (int) (outermost >>> $MallardTree.SLOT)), 0);
        }
        $MallardTree.resolves = true;
    }

    /**
     * Says that the agent answers {@link $MallardVM#locate}. Called by the agent once the VM is initialised: what the
     * VM calls here to find {@link $MallardObjects#size} would count as the program's later.
     */
    @Hidden
    private static void answers() {
        $MallardObjects.bindSize(); // was found before where there are contexts
        $MallardTags.bindLate();
        $MallardObjects.locates = true;
    }

    static boolean is(long flag) {
        return flag != 0;
    }

    /** The address of the running thread's own block. */
    @ForceInline
    static long block() {
        Thread thread = Thread.currentThread();
        long block = thread.$mallard;
        return block != 0 ? block + SHARED : $MallardThreads.firstBlock(thread);
    }

    /** The VM's Klass pointer behind a class mirror, read where no collection can move the mirror. */
    private static long klass(Class<?> mirror, long offset) {
        return U.getLong(mirror, offset);
    }
}
