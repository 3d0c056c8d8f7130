package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented code calls: counters that belong to the running thread.
 *
 * <p>Every thread that counts owns a page: an array of 64-bit counters in memory shared with the recorder. The page's
 * address is in the field {@code $mallard} that Mallard adds to {@link Thread}, so an increment is a load, an add and a
 * store without any atomic instruction, and exact because no other thread writes there. A virtual thread borrows the
 * page of its carrier each time it is mounted; none of the methods here can yield between reading the address and
 * using it.
 *
 * <p>The agent defines this class in java.base before the first bytecode runs. Nothing here allocates or throws.
 */
public final class $Mallard {
    // Facts about this JVM, which the recorder writes over these constants in the class file it hands to the agent.
    // The compiler must find nothing to fold: each stands beside a variable wherever it is used.

    /** Header bytes of arrays with elements of 1, 2 and 4 bytes, of 8 bytes, and of references. */
    private static final long BASE = 0x6d616c6c00000001L;
    private static final long BASE8 = 0x6d616c6c00000002L;
    private static final long BASE_REF = 0x6d616c6c00000003L;

    /** Bytes of a reference. */
    private static final long REFERENCE = 0x6d616c6c00000004L;

    /** Bytes to which objects are aligned, less 1. */
    private static final long ALIGNMENT_MASK = 0x6d616c6c00000005L;

    /** Address of the table of pages' states, a 32-bit word each. */
    private static final long STATES = 0x6d616c6c00000006L;

    /** Number of pages. */
    private static final long PAGES = 0x6d616c6c00000007L;

    /** Address of page 0, which the threads share that find no page. */
    private static final long OVERFLOW = 0x6d616c6c00000008L;

    /** Bytes of a page. */
    private static final long PAGE_BYTES = 0x6d616c6c00000009L;

    /** Page of the VM's first thread, the one that is main later. */
    private static final long PRIMORDIAL = 0x6d616c6c0000000aL;

    /** Where a class mirror has the VM's Klass pointer, and where that has the layout helper and the table of virtual methods. */
    private static final long KLASS = 0x6d616c6c0000000bL;
    private static final long LAYOUT = 0x6d616c6c0000000cL;
    private static final long VIRTUAL = 0x6d616c6c0000000dL;

    /** 1 where contexts are recorded, else 0. */
    private static final long CONTEXTS = 0x6d616c6c0000000eL;

    /** Address that offsets of nodes are relative to; some memory there is zero. */
    private static final long NODES = 0x6d616c6c0000000fL;

    /** Offset of the nodes of the early time. */
    private static final long EARLY_NODES = 0x6d616c6c00000010L;

    /** Addresses of the offset of the first byte that no thread has taken for nodes, and of the last that one may take. */
    private static final long TOP = 0x6d616c6c00000011L;
    private static final long LIMIT = 0x6d616c6c00000014L;

    /** Address of 24 bytes a method: the number of its name, that of its first call's, the offset of its node in a page, the words of a node, how many calls. */
    private static final long METHODS = 0x6d616c6c00000012L;

    /** Address of 8 bytes a call: the number of its name, what it announces. */
    private static final long CALLS = 0x6d616c6c00000013L;

    /** How many counters the early time has. */
    private static final long EARLY = 0x6d616c6c00000015L;

    // The runtime class's own words in a thread's page.

    /** Arrays that were given and not taken yet, packed, and what they spilled. */
    private static final int GIVEN = 0;

    /** The runtime class's own too: 1 while what the next method handle of a constructor makes is made for reflection, whose caller counts it. */
    private static final int REFLECTED = 4;

    /** In the early time, by what the next method is entered; later that is in the thread. */
    private static final int NEXT = 5;

    /** Offsets of the memory for nodes that is left of the thread's last chunk, of its end, and of the chunk. */
    private static final int FREE = 6;
    private static final int END = 7;
    private static final int CHUNK = 8;

    /** In the early time, the announcement of the call; later that is in the thread. */
    private static final int CALLED = 11;

    /** Offset of the thread's table of hashes, and the mask of offsets in it; how many there are; how many pairs the recorder has put in front of it. */
    private static final int TABLE = 12;
    private static final int MASK = 13;
    private static final int HASHES = 14;
    private static final int LEARNED = 15;

    /** 1 while a virtual thread is being mounted or unmounted, in the carrier's page. */
    private static final int TRANSITION = 10;

    /** By what is entered what the VM calls; 0 before the thread's first node. */
    private static final int OUTERMOST = 9;

    /**
     * Null until the VM's first thread starts a second one. The VM is being initialised then: Unsafe may not be touched yet, and at first there
     * is no object for the current thread. The compilers take it for a constant ever after.
     */
    @Stable private static Unsafe U;

    /**
     * Counts of that time, in which one thread runs. There are more numbers than the classes that are loaded by then have. Nodes stand behind
     * the counters, and take more room when they need it. (Where the recorder goes away before that time has ended, it never does, and several threads write
     * here: what they write is never read, and no index leads out.)
     */
    private static final int earlyCounters = narrow(EARLY);
    private static long[] early = earlyWords(CONTEXTS);
    private static final int EARLY_MOST = 1 << 21;

    /** Whether the agent answers {@link #resolve}. */
    @Stable private static boolean resolves;

    /** Where the table of virtual methods has clone, and Object's; 0 until boot. */
    @Stable private static long cloneSlot;
    @Stable private static long cloneOfObject;

    /** Where a Throwable has its backtrace; 0 until boot. */
    @Stable private static long backtrace;

    private $Mallard() {}

    private static long[] earlyWords(long contexts) {
        return new long[contexts == 0 ? earlyCounters : earlyCounters < 1 << 17 ? 1 << 17 : 2 * earlyCounters];
    }

    private static int narrow(long fact) {
        return (int) fact;
    }

    /** Differs from Object's, so that the tables of virtual methods of the two classes say where clone is. */
    @Override
    protected Object clone() {
        return null;
    }

    /** Adds 1 to a counter of the running thread. */
    @ForceInline
    @Hidden
    public static void count(int counter) {
        if (U == null) {
            early[counter]++;
            return;
        }
        long address = page() + ((long) counter << 3);
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
        add(at(node, word), bytecodes);
    }

    /** As {@link #count(int)} for a word of a node. */
    @ForceInline
    @Hidden
    public static void count(long node, int word) {
        long address = at(node, word);
        if (U == null) {
            early[(int) (address >>> 3) & early.length - 1]++;
            return;
        }
        U.putLong(null, address, U.getLong(null, address) + 1);
    }

    /** The address of a counter of the running thread; in the early time, eight times its index. */
    @ForceInline
    private static long at(int counter) {
        return (U == null ? 0 : page()) + ((long) counter << 3);
    }

    /** The same for a word of a node. */
    @ForceInline
    private static long at(long node, int word) {
        return (U == null ? node - EARLY_NODES + (earlyCounters << 3) : NODES + node) + ((long) word << 3);
    }

    @ForceInline
    private static long get(long address) {
        return U == null ? early[(int) (address >>> 3) & early.length - 1] : U.getLong(null, address);
    }

    @ForceInline
    private static void put(long address, long value) {
        if (U == null) {
            early[(int) (address >>> 3) & early.length - 1] = value;
        } else {
            U.putLong(null, address, value);
        }
    }

    @ForceInline
    private static void add(long address, long value) {
        put(address, get(address) + value);
    }

    // An array whose length is computed makes one update of one word, which has three sums side by side: elements from bit 31 on, arrays from
    // bit 19 on, and below the bytes of headers and of padding at the arrays' ends. None can run over: a word that has one of the FULL bits after
    // an update is spilled at once into the three counters behind it. (A length is below 2^31, header and padding below 2^9.)

    /** One array in a packed word. A multiple of every object alignment. */
    private static final long ARRAY = 1L << 19;

    /** One element in a packed word. */
    private static final long ELEMENT = 1L << 31;

    /** Bits of a packed word that say that it has to be spilled: 2^10 arrays, 2^32 elements. */
    private static final long FULL = 1L << 63 | 1L << 29;

    /**
     * Adds an array of 1-byte elements to a packed counter. The three after it take what it spills: the number of arrays, their elements, their
     * aligned bytes.
     */
    @ForceInline
    @Hidden
    public static void array1(int length, int counter) {
        pack(length, BASE + length, at(counter), 1);
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array1(int length, long node, int word) {
        pack(length, BASE + length, at(node, word), 1);
    }

    /** As {@link #array1} for 2-byte elements. */
    @ForceInline
    @Hidden
    public static void array2(int length, int counter) {
        pack(length, BASE + ((long) length << 1), at(counter), 2);
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array2(int length, long node, int word) {
        pack(length, BASE + ((long) length << 1), at(node, word), 2);
    }

    /** As {@link #array1} for 4-byte elements. */
    @ForceInline
    @Hidden
    public static void array4(int length, int counter) {
        pack(length, BASE + ((long) length << 2), at(counter), 4);
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array4(int length, long node, int word) {
        pack(length, BASE + ((long) length << 2), at(node, word), 4);
    }

    /** As {@link #array1} for 8-byte elements. */
    @ForceInline
    @Hidden
    public static void array8(int length, int counter) {
        pack(length, BASE8 + ((long) length << 3), at(counter), 8);
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array8(int length, long node, int word) {
        pack(length, BASE8 + ((long) length << 3), at(node, word), 8);
    }

    /** As {@link #array1} for references. */
    @ForceInline
    @Hidden
    public static void arrayRef(int length, int counter) {
        pack(length, BASE_REF + length * REFERENCE, at(counter), REFERENCE);
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void arrayRef(int length, long node, int word) {
        pack(length, BASE_REF + length * REFERENCE, at(node, word), REFERENCE);
    }

    /** Adds an array of {@code size} bytes, to be aligned, and elements of {@code width} bytes. */
    @ForceInline
    private static void pack(int length, long size, long address, long width) {
        // The array and its aligned size, and for each element an element less its bytes.
        long one = length * (ELEMENT - width) + align(size + ARRAY);
        long word = U == null ? get(address) + one : U.getLong(null, address) + one;
        if ((word & FULL) != 0) {
            spill(word, address, width);
        } else if (U == null) {
            put(address, word);
        } else {
            U.putLong(null, address, word);
        }
    }

    @DontInline
    private static void spill(long word, long address, long width) {
        put(address, 0);
        add(address + 8, arrays(word));
        add(address + 16, elements(word));
        add(address + 24, bytes(word, width));
    }

    private static long arrays(long word) {
        return word >>> 19 & 0xfff;
    }

    private static long elements(long word) {
        return word >>> 31;
    }

    private static long bytes(long word, long width) {
        return (word & ARRAY - 1) + elements(word) * width;
    }

    @ForceInline
    private static long align(long size) {
        return (size + ALIGNMENT_MASK | ALIGNMENT_MASK) ^ ALIGNMENT_MASK;
    }

    /**
     * Adds an object or array that some method made: its length to {@code counter}, its aligned size to the counter after it. The VM's layout
     * helper is an instance's size, with a bit for finalizers, or negative for arrays: then it has header and element size.
     */
    @ForceInline
    @Hidden
    public static void object(Object made, int counter) {
        object(made, at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void object(Object made, long node, int word) {
        object(made, at(node, word));
    }

    @ForceInline
    private static void object(Object made, long address) {
        if (U == null) {
            return; // the size is out of reach; no more than a few small objects
        }
        int layout = layout(made);
        long length = 0;
        long size = layout & -8;
        if (layout < 0) {
            length = java.lang.reflect.Array.getLength(made);
            size = align(header(layout) + (length << shift(layout)));
        }
        if (length != 0) {
            add(address, length);
        }
        add(address + 8, size);
    }

    /** As {@link #array1} for an array whose type only the VM knows. */
    @ForceInline
    @Hidden
    public static void array(Object made, int counter) {
        array(made, at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array(Object made, long node, int word) {
        array(made, at(node, word));
    }

    @ForceInline
    private static void array(Object made, long address) {
        if (U == null) {
            if (made instanceof Object[]) { // others are not cloned so early
                int length = ((Object[]) made).length;
                pack(length, BASE_REF + length * REFERENCE, address, REFERENCE);
            }
            return;
        }
        int layout = layout(made);
        int length = java.lang.reflect.Array.getLength(made);
        long header = header(layout);
        long width = 1L << shift(layout);
        pack(length, header + length * width, address, width);
    }

    @ForceInline
    private static int layout(Object object) {
        return U.getInt(null, U.getLong(object.getClass(), KLASS) + LAYOUT);
    }

    @ForceInline
    private static long header(int layout) {
        return layout >> 16 & 0xff;
    }

    @ForceInline
    private static int shift(int layout) {
        return layout & 0x3f;
    }

    /** Adds arrays of arrays whose levels were all made together: their number at {@code counter}, then elements and aligned bytes. */
    @Hidden
    public static void nested(Object array, int counter) {
        nested(array, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void nested(Object array, long node, int word) {
        nested(array, at(node, word));
    }

    private static void nested(Object array, long address) {
        if (U == null) {
            return;
        }
        long arrays = 1;
        for (Object at = array; at != null && at.getClass().isArray(); at = ((Object[]) at)[0]) {
            int layout = layout(at);
            long length = java.lang.reflect.Array.getLength(at);
            add(address, arrays);
            add(address + 8, arrays * length);
            add(address + 16, arrays * align(header(layout) + (length << shift(layout))));
            arrays *= length;
            if (arrays == 0 || !(at instanceof Object[])) {
                return;
            }
        }
    }

    /**
     * Adds the arrays that the VM has recorded the stack in for a Throwable: for every 32 frames one that has the next such chunk, three arrays of numbers
     * and one of class mirrors. As {@link #nested}, for four types one after another: Object[], short[], int[], long[].
     */
    @Hidden
    public static void backtrace(Throwable thrown, int counter) {
        backtrace(thrown, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void backtrace(Throwable thrown, long node, int word) {
        backtrace(thrown, at(node, word));
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
                        measure(part, address + 24);
                    }
                } else if (part instanceof int[]) {
                    measure(part, address + 48);
                } else if (part instanceof long[]) {
                    measure(part, address + 72);
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
        U.putLong(null, address + 8, U.getLong(null, address + 8) + length);
        U.putLong(null, address + 16, U.getLong(null, address + 16) + align(header(layout) + (length << shift(layout))));
    }

    /** Adds an object that clone returned if its class inherits clone from Object: then nobody else counts it. As {@link #nested} for one array. */
    @Hidden
    public static void cloned(Object made, int counter) {
        if (made != null) {
            cloned(made, made.getClass(), at(counter));
        }
    }

    /** The same in a node. */
    @Hidden
    public static void cloned(Object made, long node, int word) {
        if (made != null) {
            cloned(made, made.getClass(), at(node, word));
        }
    }

    /** As {@link #cloned} for a call of the clone that {@code from} has or inherits. */
    @Hidden
    public static void superCloned(Object made, Class<?> from, int counter) {
        cloned(made, from, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void superCloned(Object made, Class<?> from, long node, int word) {
        cloned(made, from, at(node, word));
    }

    private static void cloned(Object made, Class<?> from, long address) {
        if (U == null || made == null || U.getLong(null, U.getLong(from, KLASS) + cloneSlot) != cloneOfObject) {
            return;
        }
        add(address, 1);
        object(made, address + 8);
    }

    /** Says that the next method handle of a constructor is called for reflection. Called first thing in the method that does. */
    @Hidden
    public static void reflecting() {
        reflect(1);
    }

    /** Says that no more. Called before that method returns: what it made may have been an object of a hidden class. */
    @Hidden
    public static void reflected() {
        reflect(0);
    }

    private static void reflect(long is) {
        if (U != null) {
            U.putLong(null, page() + (REFLECTED << 3), is);
        }
    }

    /**
     * Adds an object that a method handle of a constructor made, unless who called it counts that: reflection, or the call site of a lambda. As
     * {@link #nested} for one array.
     */
    @Hidden
    public static void handled(Object made, int counter) {
        handled(made, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void handled(Object made, long node, int word) {
        handled(made, at(node, word));
    }

    private static void handled(Object made, long address) {
        if (U == null || made.getClass().isHidden()) {
            return;
        }
        long page = page();
        if (U.getLong(null, page + (REFLECTED << 3)) != 0) {
            U.putLong(null, page + (REFLECTED << 3), 0);
            return;
        }
        add(address, 1);
        object(made, address + 8);
    }

    /**
     * Gives what a class is to be defined from in place of {@code bytes}, if it is a hidden one: the VM shows those to no agent. Called first thing by the one
     * method of the JDK that defines them.
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

    /** Asks the recorder; null leaves the class as it is. The VM finds it in the agent's library, by its name, when it is called for the first time. */
    private static native byte[] rewrite(ClassLoader loader, byte[] bytes);

    /** Finds clone among the virtual methods. */
    private static void findClone(Unsafe unsafe) {
        long ours = unsafe.getLong($Mallard.class, KLASS) + VIRTUAL;
        long objects = unsafe.getLong(Object.class, KLASS) + VIRTUAL;
        for (int slot = 0; slot < 5; slot++) { // Object has as many
            long method = unsafe.getLong(null, objects + 8 * slot);
            if (unsafe.getLong(null, ours + 8 * slot) != method) {
                cloneSlot = VIRTUAL + 8 * slot;
                cloneOfObject = method;
            }
        }
    }

    /** Announces a byte array that is to be counted by whoever asked for it, through code that does not count. */
    @ForceInline
    @Hidden
    public static void give(Object array) {
        array1(((byte[]) array).length, GIVEN);
    }

    /** Adds the arrays that were given in this thread to a packed counter. (What they spilled stays where it is: nobody asks for 2,000 at once.) */
    @ForceInline
    @Hidden
    public static void take(int counter) {
        takeAt(at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void take(long node, int word) {
        takeAt(at(node, word));
    }

    @ForceInline
    private static void takeAt(long address) {
        long given = at(GIVEN);
        long word = get(given);
        if (word != 0) {
            put(given, 0);
            word += get(address);
            if ((word & FULL) != 0) {
                spill(word, address, 1);
            } else {
                put(address, word);
            }
        }
    }

    /**
     * Adds what a multianewarray made, level by level from the outermost array: at {@code counter + 3 * level} the number of
     * arrays, then their elements, then their aligned bytes (the formulas are the JP paper's, section 4).
     *
     * @param leaf binary logarithm of the element size at the last level, or -1 where that holds references
     */
    @Hidden
    public static void multi(Object array, int levels, int leaf, int counter) {
        multi(array, levels, leaf, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void multi(Object array, int levels, int leaf, long node, int word) {
        multi(array, levels, leaf, at(node, word));
    }

    private static void multi(Object array, int levels, int leaf, long address) {
        if (U == null) {
            return; // nothing in the JDK makes one so early
        }
        long arrays = 1;
        Object at = array;
        for (int level = 1; ; level++, address += 24) {
            boolean references = level < levels || leaf < 0;
            long length = references ? ((Object[]) at).length : java.lang.reflect.Array.getLength(at);
            long size = references ? BASE_REF + length * REFERENCE : (leaf == 3 ? BASE8 : BASE) + (length << leaf);
            add(address, arrays);
            add(address + 8, arrays * length);
            add(address + 16, arrays * align(size));
            arrays *= length;
            if (level == levels || arrays == 0) {
                return;
            }
            at = ((Object[]) at)[0];
        }
    }

    // Contexts. A node stands for a chain of calls: words 0 to 3 are the number of the innermost method, by what the node is entered, the next node of the
    // same slot, and how often it was entered; then come slots, one for each call in the method, which name the last callee's node; and then
    // the method's counters. Nodes are named by offsets. What enters a method is a slot: the caller's node, and above bit SLOT its word there.

    private static final int SLOT = 44;
    private static final long NODE = (1L << SLOT) - 1;

    /** Words of a node before its slots, and what they are. */
    private static final int ENTRY = 1;
    private static final int SIBLING = 2;
    private static final int ENTERED = 3;
    private static final int SLOTS = 4;

    /** Bytes of a thread's first chunk, and of its largest. */
    private static final long FIRST_CHUNK = 4 << 10;
    private static final long LAST_CHUNK = 1 << 20;

    /** Callees of a slot that are looked through. */
    private static final int MOST_CALLEES = 1 << 16;

    /** A chunk begins with the chunk before it, and its own end. */
    private static final int CHUNK_HEADER = 16;

    /** The name of all bodies of lambdas, which calls of other names come to. */
    private static final int LAMBDA = 1;

    /** The method of a thread's first node, which has one slot for all that the VM calls. */
    private static final int ROOT = -1;

    /**
     * Gives the node of the invocation that begins, of which a method's first instructions ask.
     *
     * @param words of the node
     */
    @ForceInline
    @Hidden
    public static long enter(int method, int words) {
        if (U == null) {
            return enterSlowly(method, words);
        }
        long entry = Thread.currentThread().$next;
        long node = U.getLong(null, NODES + (entry & NODE) + (entry >>> SLOT << 3));
        if (U.getInt(null, NODES + node) != method) {
            return enterSlowly(method, words);
        }
        long entered = NODES + node + (ENTERED << 3);
        U.putLong(null, entered, U.getLong(null, entered) + 1);
        return node;
    }

    /** Says that the next method is called from a node. */
    @ForceInline
    @Hidden
    public static void call(long node, int slot) {
        long entry = node | (long) slot << SLOT;
        if (U == null) {
            early[NEXT] = entry;
            return;
        }
        Thread.currentThread().$next = entry;
    }

    /** Says that an invocation returns: what its caller, if it does not count itself, calls next is called as this invocation was. */
    @ForceInline
    @Hidden
    public static void leave(long node) {
        if (U == null) {
            early[NEXT] = get(at(node, ENTRY));
            return;
        }
        Thread.currentThread().$next = U.getLong(null, NODES + node + (ENTRY << 3));
    }

    /** Gives the number of the context of a node, 0 without memory for it, and has it recorded even if nothing is counted there. */
    @Hidden
    public static long current(long node) {
        if (node < EARLY_NODES) {
            return 0;
        }
        long entered = at(node, ENTERED);
        if (get(entered) == 0) {
            put(entered, 1);
        }
        return node >>> 3;
    }

    private static void name(long node, int method) {
        if (U == null) {
            put(at(node, 0), method & 0xffffffffL);
        } else {
            U.putLongVolatile(null, at(node, 0), method & 0xffffffffL);
        }
    }

    @DontInline
    private static long enterSlowly(int method, int words) {
        if (U != null && page() == OVERFLOW) { // which threads share
            return flat(method);
        }
        long entry = U == null ? early[NEXT] : Thread.currentThread().$next;
        if (entry == 0) {
            entry = root();
        }
        long node = callee(entry, method);
        if (node == 0 && !expected(entry, method) && !hidden()) {
            node = resolve(entry, method, words);
        }
        if (node == 0) {
            node = child(entry, method, words);
        }
        add(at(node, ENTERED), 1);
        return node;
    }

    /** Makes a node in a slot. */
    private static long child(long entry, int method, int words) {
        long node = (entry & NODE) < EARLY_NODES ? 0 : make(words); // contexts of what has no memory have none
        if (node == 0) {
            if (U == null) {
                return early[CHUNK] + CHUNK_HEADER; // no longer of use to anybody
            }
            node = flat(method);
            put(at(node, ENTRY), entry);
            return node;
        }
        put(at(node, ENTRY), entry);
        long slot = at(entry & NODE, (int) (entry >>> SLOT));
        put(at(node, SIBLING), get(slot));
        name(node, method); // last: the recorder may be reading
        put(slot, node);
        return node;
    }

    /** Gives what enters by the slot of the thread's first node, and makes that if it is missing. */
    private static long root() {
        long known = get(at(OUTERMOST));
        if (known != 0) {
            return known;
        }
        if (U == null) {
            early[CHUNK] = EARLY_NODES;
            early[FREE] = early[CHUNK] + CHUNK_HEADER;
            early[END] = early[CHUNK] + ((long) (early.length - earlyCounters) << 3);
        }
        long node = make(SLOTS + 1);
        if (node == 0) {
            node = flat(0); // which is large enough for one
        }
        put(at(node, 0), ROOT & 0xffffffffL);
        long entry = node | (long) SLOTS << SLOT;
        put(at(node, ENTRY), entry);
        put(at(OUTERMOST), entry);
        return entry;
    }

    /** Finds a callee's node among those of a slot, and makes it the first of them; 0 without. */
    private static long callee(long entry, int method) {
        long slot = at(entry & NODE, (int) (entry >>> SLOT));
        long first = get(slot);
        long before = 0;
        int steps = 0;
        for (long node = first; node != 0 && steps < MOST_CALLEES; node = get(at(node, SIBLING))) {
            steps++;
            if ((int) get(at(node, 0)) == method) {
                if (before != 0) {
                    put(at(before, SIBLING), get(at(node, SIBLING)));
                    put(at(node, SIBLING), first);
                    put(slot, node);
                }
                return node;
            }
            before = node;
        }
        return 0;
    }

    /** What the call announces that stands in a slot; 0 for a word that is no slot. */
    private static int announced(long entry) {
        int caller = (int) get(at(entry & NODE, 0));
        int call = (int) (entry >>> SLOT) - SLOTS;
        if (caller == ROOT || call < 0 || call >= U.getInt(null, described(caller) + 20)) {
            return 0;
        }
        return U.getInt(null, CALLS + ((long) (U.getInt(null, described(caller) + 4) + call) << 3) + 4);
    }

    /** Whether a method is what a call in the method of a node names. In the early time there is nobody to ask if not. */
    private static boolean expected(long entry, int method) {
        if (U == null || !resolves) {
            return true;
        }
        int caller = (int) get(at(entry & NODE, 0));
        int name = U.getInt(null, described(method));
        if (name == LAMBDA) {
            return true;
        }
        if (caller == ROOT) {
            return false;
        }
        int call = U.getInt(null, described(caller) + 4) + (int) (entry >>> SLOT) - SLOTS;
        return name != 0 && U.getInt(null, CALLS + ((long) call << 3)) == name;
    }

    /** Address of what the recorder says of a method. */
    private static long described(int method) {
        return METHODS + (method & 0xffffffffL) * 24;
    }

    /** Gives memory for a node, zeroed; 0 where there is no more. */
    private static long make(int words) {
        long size = (long) words << 3;
        long node = get(at(FREE));
        if (node + size > get(at(END))) {
            node = chunk(size);
            if (node == 0) {
                return 0;
            }
        }
        put(at(FREE), node + size);
        return node;
    }

    /** Takes a chunk with room for a node. */
    private static long chunk(long size) {
        if (U == null) {
            if (early.length == EARLY_MOST) {
                return 0;
            }
            long[] larger = new long[2 * early.length];
            for (int i = 0; i < early.length; i++) {
                larger[i] = early[i];
            }
            early = larger;
            early[END] = early[CHUNK] + ((long) (early.length - earlyCounters) << 3);
            return early[FREE];
        }
        long last = get(at(CHUNK));
        long bytes = last == 0 ? FIRST_CHUNK : 2 * (get(at(END)) - last);
        if (bytes > LAST_CHUNK) {
            bytes = LAST_CHUNK;
        }
        if (bytes < size + CHUNK_HEADER) {
            bytes = size + CHUNK_HEADER + 4095 & -4096L;
        }
        long chunk = take(bytes);
        if (chunk == 0) {
            return 0;
        }
        put(at(chunk, 0), last);
        put(at(chunk, 1), chunk + bytes);
        put(at(CHUNK), chunk);
        put(at(END), chunk + bytes);
        return chunk + CHUNK_HEADER;
    }

    /** Takes memory that no thread has; 0 where there is no more. */
    private static long take(long bytes) {
        long taken;
        do {
            taken = U.getLong(null, TOP);
            if (taken + bytes > U.getLong(null, LIMIT)) {
                return 0;
            }
        } while (!U.compareAndSetLong(null, TOP, taken, taken + bytes));
        return taken;
    }

    /** The thread's node for all contexts of a method that there was no memory for. It is in the thread's page, in no slot, and so are its callees. */
    private static long flat(int method) {
        long node = page() - NODES + U.getLong(null, described(method) + 8);
        put(at(node, 0), method & 0xffffffffL);
        return node;
    }

    // The hashed shape. An invocation has no node but a hash of its context: of the caller's hash, of the call, of the method. It looks for the node where it
    // counts, in a table of its thread. Hashes that are not in the table are taken apart again: the step is invertible, so a hash whose caller's is known has
    // its node in a slot of the caller's. For the others the recorder looks at the thread's stack. It says for which hashes that is sure to be true again; what
    // it is not sure of (a method that the VM called between a call and its callee) goes on with a number made of the node, which is sure.

    /** The step, h' = ((h ^ call) + method) * STEP, and the number of a node, node * ANCHOR; both odd, with their inverses modulo 2^64. */
    private static final long STEP = 0xd1342543de82ef95L;
    private static final long STEP_BACK = 0x572b5ee77a54e3bdL;
    private static final long ANCHOR = 0x9e3779b97f4a7c15L;
    private static final long ANCHOR_BACK = 0xf1de83e19937733dL;

    /** Bytes of a pair of a hash and a node; of the pairs in front of a table; of the first table. */
    private static final long PAIR = 16;
    private static final long PAIRS = 64 * PAIR;
    private static final long FIRST_TABLE = 128 * PAIR;

    /** Where a call's word of the node stands in an announcement, and its name. */
    private static final int WORD = 16;
    private static final int NAME = 0xffff;

    /** What is announced after a return: no method has this name. */
    private static final int RETURNED = 0xfffe;

    /** The name of methods that the VM calls between any two instructions: what was announced says nothing about them. */
    private static final int NAMELESS = 0xffff;

    /** End of the nodes that were made before hashes were; 0 until then. */
    @Stable private static long eager;

    /**
     * Gives the number of the invocation that begins: a hash of its context.
     *
     * @param node the number of its words, and the method's name, as announcements have it
     */
    @ForceInline
    @Hidden
    public static long begin(int method, int node) {
        if (eager == 0) {
            return beginEagerly(method, node >>> WORD);
        }
        Thread thread = Thread.currentThread();
        int called = thread.$called;
        if ((called & NAME) != (node & NAME) && ((called & NAME) != 0 || (node & NAME) == NAMELESS)) {
            return beginUnannounced(method);
        }
        return ((thread.$next ^ called) + method) * STEP;
    }

    /** The same for a method that calls of any name come to. */
    @ForceInline
    @Hidden
    public static long beginAny(int method, int node) {
        if (eager == 0) {
            return beginEagerly(method, node >>> WORD);
        }
        Thread thread = Thread.currentThread();
        int called = thread.$called;
        if ((called & NAME) == RETURNED) {
            return beginUnannounced(method);
        }
        return ((thread.$next ^ called) + method) * STEP;
    }

    /** Says what an invocation calls next. */
    @ForceInline
    @Hidden
    public static void announce(long hash, int call) {
        if (U == null) {
            early[NEXT] = hash;
            early[CALLED] = call;
            return;
        }
        Thread thread = Thread.currentThread();
        thread.$next = hash;
        thread.$called = call;
    }

    /** Says that an invocation returns: what its caller, if it announces nothing, calls next is called as this invocation was. */
    @ForceInline
    @Hidden
    public static void end(long hash, int method) {
        if (eager == 0) {
            endEagerly(hash);
            return;
        }
        Thread thread = Thread.currentThread();
        thread.$next = hash * STEP_BACK - method ^ RETURNED; // which the next to enter takes away again
        thread.$called = RETURNED;
    }

    /** Gives the node in which an invocation counts. */
    @ForceInline
    @Hidden
    public static long node(long hash, int method) {
        if (eager == 0) {
            return hash * ANCHOR_BACK;
        }
        long page = page();
        long pair = NODES + U.getLong(null, page + (TABLE << 3)) + ((hash >>> 32 << 4) & U.getLong(null, page + (MASK << 3)));
        return U.getLong(null, pair) == hash ? U.getLong(null, pair + 8) : nodeSlowly(hash, method);
    }

    /** Until the agent can tell stacks, each invocation makes its node. */
    @DontInline
    private static long beginEagerly(int method, int words) {
        long next = U == null ? early[NEXT] : Thread.currentThread().$next;
        long called = U == null ? early[CALLED] : Thread.currentThread().$called;
        long entry = called == 0 ? root() : next * ANCHOR_BACK | called >>> WORD << SLOT;
        long node = callee(entry, method);
        if (node == 0) {
            node = child(entry, method, words);
        }
        return node * ANCHOR;
    }

    @DontInline
    private static void endEagerly(long hash) {
        long entry = get(at(hash * ANCHOR_BACK, ENTRY));
        boolean outermost = entry == get(at(OUTERMOST));
        announce(outermost ? 0 : (entry & NODE) * ANCHOR, outermost ? 0 : (int) (entry >>> SLOT) << WORD | RETURNED);
    }

    /** How many words the nodes of a method have. */
    private static int words(int method) {
        return method == ROOT ? SLOTS + 1 : U.getInt(null, described(method) + 16);
    }

    @DontInline
    private static long beginUnannounced(int method) {
        Thread thread = Thread.currentThread();
        long next = thread.$next;
        int called = thread.$called;
        long hash = ((next ^ called) + method) * STEP;
        if (known(hash) != 0 || page() == OVERFLOW || hidden() || !ready()) {
            return hash;
        }
        long node = resolve(next, method, called);
        learn();
        if (node == 0 || known(hash) != 0) {
            return hash;
        }
        insert(node * ANCHOR, node);
        return node * ANCHOR;
    }

    @DontInline
    private static long nodeSlowly(long hash, int method) {
        long node = known(hash);
        if (node != 0) {
            return node;
        }
        if (page() == OVERFLOW || !ready()) {
            return flat(method);
        }
        node = hash * ANCHOR_BACK;
        if (node > 0 && node < eager && (node & 7) == 0 && node >= EARLY_NODES && (int) get(at(node, 0)) == method) {
            insert(hash, node);
            return node;
        }
        node = ofKnownCaller(hash * STEP_BACK - method, method);
        if (node == 0 && (full() || hidden())) {
            return flat(method);
        }
        if (node == 0) {
            node = resolve(hash, method, -1);
            learn();
            if (node != 0) {
                return node;
            }
            node = flat(method);
        }
        insert(hash, node);
        return node;
    }

    /** Whether the table has no room for another hash. */
    private static boolean full() {
        long bytes = get(at(MASK)) + PAIR;
        return 2 * PAIR * get(at(HASHES)) >= bytes && U.getLong(null, TOP) + 2 * bytes + PAIRS > U.getLong(null, LIMIT);
    }

    /** Gives what a call leads to whose caller's hash is in the table; 0 if none is. */
    private static long ofKnownCaller(long entered, int method) {
        if (entered >>> 32 == 0) {
            return 0; // the VM
        }
        long table = get(at(TABLE));
        long mask = get(at(MASK));
        for (long i = entered >>> 32 << 4 & mask; ; i = i + PAIR & mask) {
            long caller = U.getLong(null, NODES + table + i);
            if (caller == 0) {
                return 0;
            }
            long called = caller ^ entered;
            if (called >>> 31 != 0) {
                continue;
            }
            long node = U.getLong(null, NODES + table + i + 8);
            long entry = node | called >>> WORD << SLOT;
            if (announced(entry) == called && expected(entry, method)) {
                long callee = callee(entry, method);
                return callee != 0 ? callee : child(entry, method, words(method));
            }
        }
    }

    /** Gives the node of a hash in the table, 0 without, and makes it the first that is looked at. */
    private static long known(long hash) {
        long page = page();
        long table = NODES + U.getLong(null, page + (TABLE << 3));
        long mask = U.getLong(null, page + (MASK << 3));
        if (mask == 0) {
            return 0;
        }
        long home = table + (hash >>> 32 << 4 & mask);
        for (long at = home; ; at = table + (at + PAIR - table & mask)) {
            long found = U.getLong(null, at);
            if (found == 0) {
                return 0;
            }
            if (found == hash) {
                long node = U.getLong(null, at + 8);
                if (at != home) { // both are still found: there is no gap between
                    long other = U.getLong(null, home);
                    long otherNode = U.getLong(null, home + 8);
                    U.putLong(null, home, hash);
                    U.putLong(null, home + 8, node);
                    U.putLong(null, at, other);
                    U.putLong(null, at + 8, otherNode);
                }
                return node;
            }
        }
    }

    /** Makes the thread's table and first node if they are missing; false without memory. */
    private static boolean ready() {
        root();
        return get(at(TABLE)) != 0 || table(FIRST_TABLE) != 0;
    }

    /** Takes what the recorder has found out. */
    private static void learn() {
        long pairs = get(at(TABLE)) - PAIRS;
        for (long n = get(at(LEARNED)); n > 0; n--, pairs += PAIR) {
            insert(U.getLong(null, NODES + pairs), U.getLong(null, NODES + pairs + 8));
        }
        put(at(LEARNED), 0);
    }

    /** Puts a hash into the table, unless that is full and there is no memory for a larger one. */
    private static void insert(long hash, long node) {
        long bytes = get(at(MASK)) + PAIR;
        long n = get(at(HASHES));
        if (hash == 0 || node == 0 || known(hash) != 0 || 3 * PAIR * n >= bytes && table(2 * bytes) == 0 && 2 * PAIR * n >= bytes) {
            return;
        }
        put(at(HASHES), n + 1);
        place(get(at(TABLE)), get(at(MASK)), hash, node);
    }

    private static void place(long table, long mask, long hash, long node) {
        long i = hash >>> 32 << 4 & mask;
        while (U.getLong(null, NODES + table + i) != 0) {
            i = i + PAIR & mask;
        }
        U.putLong(null, NODES + table + i + 8, node);
        U.putLong(null, NODES + table + i, hash);
    }

    /** Gives the thread a table of so many bytes, with what is in the one that it has; 0 without memory. */
    private static long table(long bytes) {
        long table = take(bytes + PAIRS);
        if (table == 0) {
            return 0;
        }
        table += PAIRS;
        long last = get(at(TABLE));
        long size = last == 0 ? 0 : get(at(MASK)) + PAIR;
        for (long i = 0; i < size; i += PAIR) {
            long hash = U.getLong(null, NODES + last + i);
            if (hash != 0) {
                place(table, bytes - PAIR, hash, U.getLong(null, NODES + last + i + 8));
            }
        }
        put(at(TABLE), table);
        put(at(MASK), bytes - PAIR);
        return table;
    }

    /**
     * Asks the recorder, who has the thread's stack from the agent, for the node of an invocation that begins in another way than by the call
     * that {@code entry} names. 0 leaves it to the caller.
     */
    private static native long resolve(long entry, int method, int words);

    /**
     * Has the VM look for {@link #resolve} while that can do no harm. Called by the agent once the VM is initialised. What the VM called until then, which
     * nobody was asked about, is not to be found any more: it calls the same methods in others.
     */
    @Hidden
    private static void bind() {
        resolve(0, 0, 0);
        eager = U.getLong(null, TOP);
        long outermost = get(at(OUTERMOST));
        if (outermost != 0) {
            put(at(outermost & NODE, (int) (outermost >>> SLOT)), 0);
        }
        resolves = true;
    }

    /**
     * Ends the early time. Called first thing in Thread.start: no second thread has run before that, and the VM has by then set the constants
     * that Unsafe takes over when it is initialised. (Sooner would break it: allocateMemory would round every size to 0.)
     */
    @Hidden
    public static void boot() {
        if (U == null) {
            Unsafe unsafe = Unsafe.getUnsafe();
            for (int i = 0; i < early.length; i++) {
                if (early[i] != 0) {
                    long address = i < earlyCounters ? PRIMORDIAL + ((long) i << 3) : NODES + early[CHUNK] + ((long) (i - earlyCounters) << 3);
                    unsafe.putLong(null, address, early[i]);
                }
            }
            findClone(unsafe);
            backtrace = unsafe.objectFieldOffset(Throwable.class, "backtrace");
            if (is(CONTEXTS)) {
                enterNext(early[NEXT], early[CALLED]);
            }
            U = unsafe;
            early = null;
            firstPage(Thread.currentThread()); // before the thread that is being started can take it
        }
    }

    /**
     * Lends the carrier's page to a virtual thread that is being mounted. Called first thing in VirtualThread.mount. With contexts it keeps a page
     * of its own while it lives, because its frames have nodes: carriers may change between two of their instructions.
     */
    @Hidden
    public static void mount(Thread virtual) {
        if (!is(CONTEXTS)) {
            virtual.$mallard = Thread.currentCarrierThread().$mallard;
        } else {
            hide();
            if (virtual.$mallard == 0) {
                virtual.$mallard = virtualPage();
            }
        }
    }

    /** Takes the page of a virtual thread that has ended. Called first thing in VirtualThread.afterTerminate, by the carrier. */
    @Hidden
    public static void terminated(Thread virtual) {
        long page = virtual.$mallard;
        show();
        if (is(CONTEXTS) && page != 0 && page != OVERFLOW) {
            virtual.$mallard = 0;
            long number = (page - OVERFLOW) / PAGE_BYTES;
            U.putIntVolatile(null, STATES + (number << 2), VIRTUAL_IDLE);
            hint = number;
        }
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

    private static void transition(long now) {
        long page = Thread.currentCarrierThread().$mallard;
        if (page != 0 && page != OVERFLOW && is(CONTEXTS)) {
            U.putLong(null, page + (TRANSITION << 3), now);
        }
    }

    @DontInline
    private static boolean hidden() {
        long page = Thread.currentCarrierThread().$mallard;
        return page == 0 || page == OVERFLOW || U.getLong(null, page + (TRANSITION << 3)) != 0;
    }

    /** States of pages for virtual threads. */
    private static final int VIRTUAL_LIVE = 3;
    private static final int VIRTUAL_IDLE = 4;

    /** Where a page for a virtual thread may be had. */
    private static long hint;

    private static long virtualPage() {
        long first = hint;
        for (long i = 0; i < PAGES; i++) {
            long page = (first + i) % PAGES;
            int state = U.getIntVolatile(null, STATES + (page << 2));
            if (page != 0 && (state == 0 || state == VIRTUAL_IDLE) && U.compareAndSetInt(null, STATES + (page << 2), state, VIRTUAL_LIVE)) {
                hint = page + 1;
                return OVERFLOW + page * PAGE_BYTES;
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

    private static boolean is(long flag) {
        return flag != 0;
    }

    @ForceInline
    private static long page() {
        Thread thread = Thread.currentThread();
        long page = thread.$mallard;
        return page != 0 ? page : firstPage(thread);
    }

    @DontInline
    private static long firstPage(Thread thread) {
        Thread carrier = Thread.currentCarrierThread();
        long page = carrier.$mallard;
        if (page == 0) {
            page = takePage();
            carrier.$mallard = page;
        }
        thread.$mallard = page;
        return page;
    }

    /**
     * Takes a free page for a thread that the agent has not given one: the first caller is the thread that initialises the VM, and its is the
     * primordial page, which it has counted in before; others are attaching to the VM.
     */
    private static long takePage() {
        for (long page = 1; page < PAGES; page++) {
            if (U.compareAndSetInt(null, STATES + (page << 2), 0, 1)) {
                return OVERFLOW + page * PAGE_BYTES;
            }
        }
        return OVERFLOW;
    }

    /** The VM's Klass pointer behind a class mirror, read where no collection can move the mirror. */
    private static long klass(Class<?> mirror, long offset) {
        return U.getLong(mirror, offset);
    }
}
