package java.lang;

import jdk.internal.misc.Unsafe;
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

    /** The runtime class's own counter, and three after it: arrays that were given and not taken yet, packed. */
    private static final int GIVEN = 0;

    /** The runtime class's own too: 1 while what the next method handle of a constructor makes is made for reflection, whose caller counts it. */
    private static final int REFLECTED = 4;

    /**
     * Null until the VM's first thread starts a second one. The VM is being initialised then: Unsafe may not be touched yet, and at first there
     * is no object for the current thread. The compilers take it for a constant ever after.
     */
    @Stable private static Unsafe U;

    /** Counts of that time, in which one thread runs. There are more numbers than the classes that are loaded by then have. */
    private static final long[] EARLY = new long[1 << 14];

    /** Where the table of virtual methods has clone, and Object's; 0 until boot. */
    @Stable private static long cloneSlot;
    @Stable private static long cloneOfObject;

    /** Where a Throwable has its backtrace; 0 until boot. */
    @Stable private static long backtrace;

    private $Mallard() {}

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
            EARLY[counter]++;
            return;
        }
        long address = page() + ((long) counter << 3);
        U.putLong(null, address, U.getLong(null, address) + 1);
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
        pack(length, BASE + length, counter, 1);
    }

    /** As {@link #array1} for 2-byte elements. */
    @ForceInline
    @Hidden
    public static void array2(int length, int counter) {
        pack(length, BASE + ((long) length << 1), counter, 2);
    }

    /** As {@link #array1} for 4-byte elements. */
    @ForceInline
    @Hidden
    public static void array4(int length, int counter) {
        pack(length, BASE + ((long) length << 2), counter, 4);
    }

    /** As {@link #array1} for 8-byte elements. */
    @ForceInline
    @Hidden
    public static void array8(int length, int counter) {
        pack(length, BASE8 + ((long) length << 3), counter, 8);
    }

    /** As {@link #array1} for references. */
    @ForceInline
    @Hidden
    public static void arrayRef(int length, int counter) {
        pack(length, BASE_REF + length * REFERENCE, counter, REFERENCE);
    }

    /** Adds an array of {@code size} bytes, to be aligned, and elements of {@code width} bytes. */
    @ForceInline
    private static void pack(int length, long size, int counter, long width) {
        // The array and its aligned size, and for each element an element less its bytes.
        long one = length * (ELEMENT - width) + align(size + ARRAY);
        if (U == null) {
            packEarly(one, counter, width);
            return;
        }
        long address = page() + ((long) counter << 3);
        long word = U.getLong(null, address) + one;
        if ((word & FULL) != 0) {
            spill(word, address, width);
            return;
        }
        U.putLong(null, address, word);
    }

    private static void spill(long word, long address, long width) {
        U.putLong(null, address, 0);
        U.putLong(null, address + 8, U.getLong(null, address + 8) + arrays(word));
        U.putLong(null, address + 16, U.getLong(null, address + 16) + elements(word));
        U.putLong(null, address + 24, U.getLong(null, address + 24) + bytes(word, width));
    }

    private static void packEarly(long one, int counter, long width) {
        long word = EARLY[counter] + one;
        if ((word & FULL) != 0) {
            EARLY[counter + 1] += arrays(word);
            EARLY[counter + 2] += elements(word);
            EARLY[counter + 3] += bytes(word, width);
            word = 0;
        }
        EARLY[counter] = word;
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
        long address = page() + ((long) counter << 3);
        if (length != 0) {
            U.putLong(null, address, U.getLong(null, address) + length);
        }
        U.putLong(null, address + 8, U.getLong(null, address + 8) + size);
    }

    /** As {@link #array1} for an array whose type only the VM knows. */
    @ForceInline
    @Hidden
    public static void array(Object made, int counter) {
        if (U == null) {
            if (made instanceof Object[]) { // others are not cloned so early
                arrayRef(((Object[]) made).length, counter);
            }
            return;
        }
        int layout = layout(made);
        int length = java.lang.reflect.Array.getLength(made);
        long header = header(layout);
        long width = 1L << shift(layout);
        pack(length, header + length * width, counter, width);
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
        if (U == null) {
            return;
        }
        long address = page() + ((long) counter << 3);
        long arrays = 1;
        for (Object at = array; at != null && at.getClass().isArray(); at = ((Object[]) at)[0]) {
            int layout = layout(at);
            long length = java.lang.reflect.Array.getLength(at);
            U.putLong(null, address, U.getLong(null, address) + arrays);
            U.putLong(null, address + 8, U.getLong(null, address + 8) + arrays * length);
            U.putLong(null, address + 16, U.getLong(null, address + 16) + arrays * align(header(layout) + (length << shift(layout))));
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
        if (U == null) {
            return;
        }
        long address = page() + ((long) counter << 3);
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
            superCloned(made, made.getClass(), counter);
        }
    }

    /** As {@link #cloned} for a call of the clone that {@code from} has or inherits. */
    @Hidden
    public static void superCloned(Object made, Class<?> from, int counter) {
        if (U == null || made == null || U.getLong(null, U.getLong(from, KLASS) + cloneSlot) != cloneOfObject) {
            return;
        }
        long address = page() + ((long) counter << 3);
        U.putLong(null, address, U.getLong(null, address) + 1);
        object(made, counter + 1);
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
        if (U == null || made.getClass().isHidden()) {
            return;
        }
        long page = page();
        if (U.getLong(null, page + (REFLECTED << 3)) != 0) {
            U.putLong(null, page + (REFLECTED << 3), 0);
            return;
        }
        long address = page + ((long) counter << 3);
        U.putLong(null, address, U.getLong(null, address) + 1);
        object(made, counter + 1);
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
        if (U == null) {
            long word = EARLY[GIVEN];
            EARLY[GIVEN] = 0;
            packEarly(word, counter, 1);
            return;
        }
        long page = page();
        long word = U.getLong(null, page + (GIVEN << 3));
        if (word != 0) {
            U.putLong(null, page + (GIVEN << 3), 0);
            long address = page + ((long) counter << 3);
            word += U.getLong(null, address);
            if ((word & FULL) != 0) {
                spill(word, address, 1);
            } else {
                U.putLong(null, address, word);
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
        if (U == null) {
            return; // nothing in the JDK makes one so early
        }
        long address = page() + ((long) counter << 3);
        long arrays = 1;
        Object at = array;
        for (int level = 1; ; level++, address += 24) {
            boolean references = level < levels || leaf < 0;
            long length = references ? ((Object[]) at).length : java.lang.reflect.Array.getLength(at);
            long size = references ? BASE_REF + length * REFERENCE : (leaf == 3 ? BASE8 : BASE) + (length << leaf);
            U.putLong(null, address, U.getLong(null, address) + arrays);
            U.putLong(null, address + 8, U.getLong(null, address + 8) + arrays * length);
            U.putLong(null, address + 16, U.getLong(null, address + 16) + arrays * align(size));
            arrays *= length;
            if (level == levels || arrays == 0) {
                return;
            }
            at = ((Object[]) at)[0];
        }
    }

    /**
     * Ends the early time. Called first thing in Thread.start: no second thread has run before that, and the VM has by then set the constants
     * that Unsafe takes over when it is initialised. (Sooner would break it: allocateMemory would round every size to 0.)
     */
    @Hidden
    public static void boot() {
        if (U == null) {
            Unsafe unsafe = Unsafe.getUnsafe();
            for (int i = 0; i < EARLY.length; i++) {
                if (EARLY[i] != 0) {
                    unsafe.putLong(null, PRIMORDIAL + ((long) i << 3), EARLY[i]);
                }
            }
            findClone(unsafe);
            backtrace = unsafe.objectFieldOffset(Throwable.class, "backtrace");
            U = unsafe;
        }
    }

    /** Lends the carrier's page to a virtual thread that is being mounted. Called first thing in VirtualThread.mount. */
    @Hidden
    public static void mount(Thread virtual) {
        virtual.$mallard = Thread.currentCarrierThread().$mallard;
    }

    @ForceInline
    private static long page() {
        Thread thread = Thread.currentThread();
        long page = thread.$mallard;
        return page != 0 ? page : firstPage(thread);
    }

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
