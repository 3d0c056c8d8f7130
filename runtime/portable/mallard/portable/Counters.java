package mallard.portable;

/**
 * What the code of a program calls that {@code mallard instrument} has made count: counters of the running thread, in
 * arrays on the heap.
 *
 * <p>The methods are those of {@code java.lang.$Mallard}, as far as a program can do without the VM's help, and mean
 * the same. Counters have numbers from 0; a thread's are in chunks, made when they are first used, which nobody else
 * writes to. So counting is exact without any atomic instruction. Virtual threads share counters that are atomic: there
 * may be millions of such threads.
 *
 * <p>With contexts there is a node in front of the counter's number, and what is counted belongs to it. Where it has no
 * counters, as there was no memory for more contexts, it belongs to the thread.
 *
 * <p>Nothing here throws. What there was no memory or no stack to count is counted as lost.
 */
public final class Counters {
    /** How many counters there are. */
    static final int COUNTERS = counters();

    private static final int CHUNK_BITS = 6;

    /** Counters of a chunk. */
    static final int CHUNK = 1 << CHUNK_BITS;

    /** The first of those of {@link Made}, which is not to be initialised from here: it may be too early for that. */
    static final int FIRST_MADE = COUNTERS + Made.STEP - 1 & -Made.STEP;

    /** How many there are with those. */
    static final int ALL = FIRST_MADE + Made.STEP * Made.MOST;

    /** Chunks of a thread. */
    static final int CHUNKS = (ALL + CHUNK - 1) / CHUNK;

    /** Counters of arrays of a site: their number, elements and bytes. */
    private static final int OF_ARRAYS = 3;

    /** Increments that are missing, at least so many. */
    static volatile int lost;

    private Counters() {}

    /** {@code mallard instrument} writes over this constant. In a method the compiler cannot compute with it. */
    private static int counters() {
        return 0x6d616c6c;
    }

    private static long[][] own() {
        try {
            return Own.OWN.get().counters;
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            return Own.NONE;
        }
    }

    /** The counters of a context; null without. */
    private static long[] of(Node node) {
        return node == null ? null : node.inside().counters;
    }

    /** Adds 1 to a counter of the running thread. */
    public static void count(int counter) {
        if (Gate.isOpen()) {
            add(own(), counter, 1);
        }
    }

    public static void count(Node node, int counter) {
        long[] counters = of(node);
        if (counters != null) {
            counters[counter - node.first]++;
        } else if (Gate.isOpen() && !Tree.isAside()) {
            add(own(), counter, 1);
        }
    }

    /** Adds to counters in a row. */
    private static void add(long a, long b, long c, Node node, int counter) {
        long[] counters = of(node);
        if (counters != null) {
            int i = counter - node.first;
            counters[i] += a;
            counters[i + 1] += b;
            counters[i + 2] += c;
        } else if (Gate.isOpen() && (Tree.METHODS == 0 || !Tree.isAside())) {
            long[][] own = own();
            add(own, counter, a);
            add(own, counter + 1, b);
            add(own, counter + 2, c);
        }
    }

    private static void add(long a, long b, Node node, int counter) {
        long[] counters = of(node);
        if (counters != null) {
            int i = counter - node.first;
            counters[i] += a;
            counters[i + 1] += b;
        } else if (Gate.isOpen() && (Tree.METHODS == 0 || !Tree.isAside())) {
            long[][] own = own();
            add(own, counter, a);
            add(own, counter + 1, b);
        }
    }

    private static void add(long[][] own, int counter, long n) {
        long[] chunk = own[counter >>> CHUNK_BITS];
        if (chunk != null) {
            chunk[counter & CHUNK - 1] += n;
        } else {
            addToNew(own, counter, n);
        }
    }

    /** As {@link #add} where the chunk does not exist. */
    private static void addToNew(long[][] own, int counter, long n) {
        try {
            if (own == Own.NONE) {
                Threads.share(counter, n);
            } else {
                long[] chunk = new long[CHUNK];
                chunk[counter & CHUNK - 1] = n;
                own[counter >>> CHUNK_BITS] = chunk;
            }
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            lost++;
        }
    }

    /**
     * Adds an array of 1-byte elements: to the counters behind {@code counter} 1, its length, its aligned bytes. {@code
     * counter} itself is not used.
     */
    public static void array1(int length, int counter) {
        array1(length, null, counter);
    }

    public static void array1(int length, Node node, int counter) {
        if (Gate.isOpen()) {
            measured(length, Sizes.BASE + length, node, counter);
        }
    }

    /** As {@link #array1} for 2-byte elements. */
    public static void array2(int length, int counter) {
        array2(length, null, counter);
    }

    public static void array2(int length, Node node, int counter) {
        if (Gate.isOpen()) {
            measured(length, Sizes.BASE + 2L * length, node, counter);
        }
    }

    /** As {@link #array1} for 4-byte elements. */
    public static void array4(int length, int counter) {
        array4(length, null, counter);
    }

    public static void array4(int length, Node node, int counter) {
        if (Gate.isOpen()) {
            measured(length, Sizes.BASE + 4L * length, node, counter);
        }
    }

    /** As {@link #array1} for 8-byte elements. */
    public static void array8(int length, int counter) {
        array8(length, null, counter);
    }

    public static void array8(int length, Node node, int counter) {
        if (Gate.isOpen()) {
            measured(length, Sizes.BASE8 + 8L * length, node, counter);
        }
    }

    /** As {@link #array1} for references. */
    public static void arrayRef(int length, int counter) {
        arrayRef(length, null, counter);
    }

    public static void arrayRef(int length, Node node, int counter) {
        if (Gate.isOpen()) {
            measured(length, Sizes.BASE_REF + Sizes.REFERENCE * length, node, counter);
        }
    }

    /** As {@link #arrayRef}; an array that takes the place of one before is counted at the site behind. */
    public static void arrayAfter(int length, Object before, int counter) {
        arrayAfter(length, before, null, counter);
    }

    public static void arrayAfter(int length, Object before, Node node, int counter) {
        arrayRef(length, node, before == null ? counter : counter + OF_ARRAYS);
    }

    /** As {@link #array1} for an array of any type. */
    public static void array(Object made, int counter) {
        array(made, null, counter);
    }

    public static void array(Object made, Node node, int counter) {
        if (Gate.isOpen()) {
            measured(Sizes.length(made), Sizes.of(made), node, counter);
        }
    }

    private static void measured(long length, long size, Node node, int counter) {
        add(1L, length, Sizes.align(size), node, counter);
    }

    /**
     * Adds what a multianewarray made, level by level from the outermost array: at {@code counter + 3 * level} the
     * number of arrays, their elements, their aligned bytes. {@code leaf} is not needed: the arrays say themselves what
     * they hold.
     */
    public static void multi(Object array, int levels, int leaf, int counter) {
        multi(array, levels, leaf, null, counter);
    }

    public static void multi(Object array, int levels, int leaf, Node node, int counter) {
        if (Gate.isOpen()) {
            nested(array, levels, node, counter, 3);
        }
    }

    /**
     * Adds arrays of arrays whose levels were all made together: their number at {@code counter}, then elements and
     * aligned bytes.
     */
    public static void nested(Object array, int counter) {
        nested(array, null, counter);
    }

    public static void nested(Object array, Node node, int counter) {
        if (Gate.isOpen()) {
            nested(array, Integer.MAX_VALUE, node, counter, 0);
        }
    }

    private static void nested(Object array, int levels, Node node, int counter, int step) {
        long arrays = 1;
        Object at = array;
        for (int level = 1; at != null && at.getClass().isArray(); level++, counter += step) {
            long length = Sizes.length(at);
            long bytes = arrays * Sizes.align(Sizes.of(at));
            if (step == 0) {
                addOf(Made.of(at.getClass()), at.getClass(), arrays, arrays * length, bytes, node, counter);
            } else {
                add(arrays, arrays * length, bytes, node, counter);
            }
            arrays *= length;
            if (level == levels || arrays == 0 || !(at instanceof Object[])) {
                return;
            }
            at = ((Object[]) at)[0];
        }
    }

    /**
     * Adds an object or array that some method made: its length to {@code counter}, its aligned size to the counter
     * after it.
     */
    public static void object(Object made, int counter) {
        object(made, null, counter);
    }

    public static void object(Object made, Node node, int counter) {
        if (Gate.isOpen()) {
            add(elements(made), Sizes.align(Sizes.of(made)), node, counter);
        }
    }

    /** Adds an object or array that some method made, as {@link #nested} for one array. */
    public static void made(Object made, int counter) {
        made(made, null, counter);
    }

    public static void made(Object made, Node node, int counter) {
        if (Gate.isOpen()) {
            addOne(made, node, counter);
        }
    }

    private static void addOne(Object made, Node node, int call) {
        Made of = Made.of(made.getClass());
        if (of.bytes != 0) {
            addOf(of, made.getClass(), 1, 0, of.bytes, node, call);
        } else {
            addOf(of, made.getClass(), 1, Sizes.length(made), Sizes.align(Sizes.of(made)), node, call);
        }
    }

    /** The same for a copy. */
    public static void copied(Object made, int counter) {
        made(made, null, counter);
    }

    public static void copied(Object made, Node node, int counter) {
        made(made, node, counter);
    }

    /** Adds to the counters that a call has for a class. */
    private static void addOf(Made of, Class<?> type, long n, long elements, long bytes, Node node, int call) {
        int counter = of.counters(call, type);
        if (counter == call) {
            add(n, elements, bytes, node, call);
        } else if (node != null && of(node) != null) {
            node.inside().add(counter, n, elements, bytes);
        } else if (Tree.METHODS == 0 || !Tree.isAside()) {
            long[][] own = own();
            long[] chunk = own[counter >>> CHUNK_BITS];
            if (chunk != null) {
                int i = counter & CHUNK - 1; // all are in the same
                chunk[i] += n;
                chunk[i + 1] += elements;
                chunk[i + 2] += bytes;
            } else {
                addToNew(own, counter, n);
                add(own, counter + 1, elements);
                add(own, counter + 2, bytes);
            }
        }
    }

    /** Adds a box, if the array that it was got from is none of references. As {@link #nested} for one array. */
    public static void boxed(Object array, Object made, int counter) {
        boxed(array, made, null, counter);
    }

    public static void boxed(Object array, Object made, Node node, int counter) {
        if (!(array instanceof Object[])) {
            made(made, node, counter);
        }
    }

    private static long elements(Object made) {
        return made.getClass().isArray() ? Sizes.length(made) : 0;
    }

    /**
     * Adds an object that clone returned if its class inherits clone from Object: then nobody else counts it. As {@link
     * #nested} for one array.
     */
    public static void cloned(Object made, int counter) {
        cloned(made, null, counter);
    }

    public static void cloned(Object made, Node node, int counter) {
        if (made != null) {
            superCloned(made, made.getClass(), node, counter);
        }
    }

    /** As {@link #cloned} for a call of the clone that {@code from} has or inherits. */
    public static void superCloned(Object made, Class<?> from, int counter) {
        superCloned(made, from, null, counter);
    }

    public static void superCloned(Object made, Class<?> from, Node node, int counter) {
        if (made != null && Gate.isOpen() && Sizes.inheritsClone(from)) {
            addOne(made, node, counter);
        }
    }

    /**
     * Adds the byte array of a string that was concatenated, as {@link #array1}. That the string may share the array of
     * what it was made from, as where one part is empty, nobody can see.
     */
    public static void concat(String made, int counter) {
        concat(made, null, counter);
    }

    public static void concat(String made, Node node, int counter) {
        if (Gate.isOpen()) {
            array1(Sizes.bytes(made), node, counter);
        }
    }

    /**
     * As {@link #concat} for the string that a record's toString returns, which is concatenated since JDK 20; older
     * ones format it.
     */
    public static void record(String made, int counter) {
        record(made, null, counter);
    }

    public static void record(String made, Node node, int counter) {
        if (Gate.isOpen() && Sizes.FEATURE >= 20) {
            concat(made, node, counter);
        }
    }
}
