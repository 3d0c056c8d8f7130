package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardClasses.*;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented code calls to count objects that something else made, and to find out how large they are: a method
 * that it called, reflection, a method handle. What it counts, and how, is {@link $Mallard}'s. {@link $MallardClasses}
 * tells objects apart by their classes.
 *
 * <p>Defined with that, and under the same rules. There is no static initialiser to run.
 */
public class $MallardObjects extends $Mallard {
    /**
     * Where a class mirror has the VM's Klass pointer, and where that has the layout helper and the table of virtual
     * methods. 0: these are not known here, and the VM is asked.
     */
    private static final long KLASS = FACT_KLASS;
    private static final long LAYOUT = FACT_LAYOUT_HELPER;
    private static final long VIRTUAL = FACT_VIRTUAL;

    /** 1 while what the next method handle of a constructor makes is made for reflection, whose caller counts it. */
    private static final int REFLECTED = WORD_REFLECTED;

    /** Where the table of virtual methods has clone, and Object's; 0 until boot, and where that is not known. */
    @Stable private static long cloneSlot;
    @Stable private static long cloneOfObject;

    /** Where a String has its array; 0 until boot. */
    @Stable static long value;

    /**
     * Where a String says that a builder has made it by executing toString, or what has concatenated it that its array
     * is another's or deferred (1) or its own (2), a field that Mallard adds; 0 until boot, and where there is no such
     * field.
     */
    @Stable static long executed;

    $MallardObjects() {}

    /** Differs from Object's, so that the tables of virtual methods of the two classes say where clone is. */
    @Override
    protected Object clone() {
        return null;
    }

    /** Finds clone among the virtual methods, and the array of a String. Called at boot. */
    static void find(Unsafe unsafe) {
        value = unsafe.objectFieldOffset(String.class, "value");
        if (!is(CONTEXTS)) {
            findExecuted(unsafe);
        }
        if (is(KLASS) && is(VIRTUAL)) {
            findClone(unsafe);
        }
    }

    private static void findExecuted(Unsafe unsafe) {
        try {
            executed = unsafe.objectFieldOffset(String.class, "$mallard");
        } catch (InternalError none) {
            // the class was left as it is
        }
    }

    private static void findClone(Unsafe unsafe) {
        long ours = unsafe.getLong($MallardObjects.class, KLASS) + VIRTUAL;
        long objects = unsafe.getLong(Object.class, KLASS) + VIRTUAL;
        for (int slot = 0; slot < 5; slot++) { // Object has as many
            long method = unsafe.getLong(null, objects + 8 * slot);
            if (unsafe.getLong(null, ours + 8 * slot) != method) {
                cloneSlot = VIRTUAL + 8 * slot;
                cloneOfObject = method;
            }
        }
    }

    /**
     * Adds a String that has been concatenated, and its array, as {@link $Mallard#concatenated(int)}. Where that is
     * another's, or deferred, the String says so.
     */
    @ForceInline
    @Hidden
    public static void concatenated(String made, int counter) {
        if (U != null && hasOwnArray(made)) {
            int length = ((byte[]) U.getReference(made, value)).length;
            addArray(length, BASE + length, at(counter));
        } else {
            concatenated(counter);
        }
    }

    /** The same in a node, where nobody calls it. */
    @Hidden
    public static void concatenated(String made, long node, int word) {
        concatenated(node, word);
    }

    /** Whether the array of a String that has been concatenated is its own, and not deferred. */
    @ForceInline
    static boolean hasOwnArray(String made) {
        return executed != 0 && made != null && U.getByte(made, executed) != 1;
    }

    /**
     * Adds an object or array that some method made: its length to {@code counter}, its aligned size to the counter
     * after it. The VM's layout helper is an instance's size, with a bit for finalizers, or negative for arrays: then
     * it has header and element size.
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
        object(made, counted(node, word));
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
        add(address + OBJECT_BYTES, size);
    }

    /**
     * As {@link #object(Object, int)} for a call whose code does not tell of what class the object is. Counters of a
     * class have a third one, which takes back what paths have counted as of the type of the call's site. In a node the
     * call's first counter is given besides its word, and the slot where nodes for classes are.
     */
    @ForceInline
    @Hidden
    public static void made(Object made, int counter) {
        int first = countersOf(made, counter);
        object(made, at(first));
        if (first != counter) {
            add(at(first) + OBJECT_MOVED, 1);
        }
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void made(Object made, long node, int word, int slot, int counter) {
        long own = counted(node, word);
        long address = wordsOf(made, own, word, slot, counter);
        object(made, address);
        if (address != own) {
            add(address + OBJECT_MOVED, 1);
        }
    }

    /** As {@link $Mallard#arrayRef} for a call whose code does not tell of what class the array is. */
    @ForceInline
    @Hidden
    public static void copied(Object made, int counter) {
        arrayRef(((Object[]) made).length, countersOf(made, counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void copied(Object made, long node, int word, int slot, int counter) {
        int length = ((Object[]) made).length;
        addArray(length, BASE_REF + length * REFERENCE, wordsOf(made, counted(node, word), word, slot, counter));
    }

    /** As {@link $Mallard#array1} for an array whose type only the VM knows. */
    @ForceInline
    @Hidden
    public static void array(Object made, int counter) {
        array(made, at(counter));
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void array(Object made, long node, int word) {
        array(made, counted(node, word));
    }

    @ForceInline
    private static void array(Object made, long address) {
        if (U == null) {
            if (made instanceof Object[]) { // others are not cloned so early
                int length = ((Object[]) made).length;
                addArray(length, BASE_REF + length * REFERENCE, address);
            }
            return;
        }
        int layout = layout(made);
        int length = java.lang.reflect.Array.getLength(made);
        long header = header(layout);
        addArray(length, header + ((long) length << shift(layout)), address);
    }

    @ForceInline
    static int layout(Object object) {
        return is(KLASS) ? U.getInt(null, U.getLong(object.getClass(), KLASS) + LAYOUT) : measuredLayout(object);
    }

    /** A layout helper made of what is known without the VM's: headers of arrays, and the size that JVMTI gives. */
    @DontInline
    private static int measuredLayout(Object object) {
        if (object instanceof Object[]) {
            return arrayLayout(BASE_REF, REFERENCE == 8 ? 3 : 2);
        } else if (object instanceof byte[] || object instanceof boolean[]) {
            return arrayLayout(BASE, 0);
        } else if (object instanceof char[] || object instanceof short[]) {
            return arrayLayout(BASE, 1);
        } else if (object instanceof int[] || object instanceof float[]) {
            return arrayLayout(BASE, 2);
        } else if (object instanceof long[] || object instanceof double[]) {
            return arrayLayout(BASE8, 3);
        }
        try {
            return locates ? size(object) : 0;
        } catch (Throwable mine) {
            return 0; // a full stack: the object is counted, its bytes are not
        }
    }

    private static int arrayLayout(long header, int shift) {
        return 1 << 31 | (int) header << 16 | shift;
    }

    /** The size of an object that is no array, in bytes. */
    static native int size(Object object);

    /**
     * Has the VM look for {@link #size} while that can do no harm. {@link $MallardVM#stopped} calls it in carriers: the
     * Java code that finds it makes an iterator once native libraries are loaded.
     */
    static void bindSize() {
        size(null);
    }

    /** Whether the class has Object's clone. */
    private static native boolean inheritsClone(Class<?> from);

    @ForceInline
    static long header(int layout) {
        return layout >> 16 & 0xff;
    }

    @ForceInline
    static int shift(int layout) {
        return layout & 0x3f;
    }

    /** Adds arrays of arrays whose levels were all made together: their number at {@code counter}, then elements and
     * aligned bytes. */
    @Hidden
    public static void nested(Object array, int counter) {
        levels(array, 0, 0, 0, counter);
    }

    /** The same in a node. */
    @Hidden
    public static void nested(Object array, long node, int word, int slot, int counter) {
        levels(array, counted(node, word), word, slot, counter);
    }

    /** @param own address of the call's counters in a node; 0: they are the thread's */
    private static void levels(Object array, long own, int word, int slot, int counter) {
        if (U == null) {
            return;
        }
        long arrays = 1;
        for (Object at = array; at != null && at.getClass().isArray(); at = ((Object[]) at)[0]) {
            addArrays(arrays, at, own == 0 ? at(countersOf(at, counter)) : wordsOf(at, own, word, slot, counter));
            arrays *= java.lang.reflect.Array.getLength(at);
            if (arrays == 0 || !(at instanceof Object[])) {
                return;
            }
        }
    }

    /** Adds arrays that are like one. */
    private static void addArrays(long arrays, Object like, long address) {
        int layout = layout(like);
        long length = java.lang.reflect.Array.getLength(like);
        add(address, arrays);
        add(address + ARRAYS_ELEMENTS, arrays * length);
        add(address + ARRAYS_BYTES, arrays * align(header(layout) + (length << shift(layout))));
    }

    /** Adds an object that clone returned if its class inherits clone from Object: then nobody else counts it. As
     * {@link #nested} for one array. */
    @Hidden
    public static void cloned(Object made, int counter) {
        if (made != null) {
            superCloned(made, made.getClass(), counter);
        }
    }

    /** The same in a node. */
    @Hidden
    public static void cloned(Object made, long node, int word, int slot, int counter) {
        if (made != null) {
            superCloned(made, made.getClass(), node, word, slot, counter);
        }
    }

    /** As {@link #cloned} for a call of the clone that {@code from} has or inherits. */
    @Hidden
    public static void superCloned(Object made, Class<?> from, int counter) {
        if (isCounted(made, from)) {
            countOne(made, at(countersOf(made, counter)));
        }
    }

    /** The same in a node. */
    @Hidden
    public static void superCloned(Object made, Class<?> from, long node, int word, int slot, int counter) {
        if (isCounted(made, from)) {
            countOne(made, wordsOf(made, counted(node, word), word, slot, counter));
        }
    }

    private static boolean isCounted(Object made, Class<?> from) {
        return U != null && made != null && hasObjectsClone(from);
    }

    @ForceInline
    static boolean hasObjectsClone(Class<?> from) {
        return cloneSlot != 0 ? U.getLong(null, U.getLong(from, KLASS) +
            cloneSlot) == cloneOfObject : askedForClone(from);
    }

    @DontInline
    private static boolean askedForClone(Class<?> from) {
        try {
            return from.isArray() || locates && inheritsClone(from);
        } catch (Throwable mine) {
            return false; // a full stack: the copy has no site
        }
    }

    /** Says that the next method handle of a constructor is called for reflection. Called first thing in the method
     * that does. */
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
            U.putLong(null, block() + (REFLECTED << 3), is);
        }
    }

    /**
     * Adds an object that a method handle of a constructor made, unless who called it counts that: reflection, or the
     * call site of a lambda. As {@link #nested} for one array.
     */
    @Hidden
    public static void handled(Object made, int counter) {
        if (isOfHandle(made)) {
            countOne(made, at(countersOf(made, counter)));
        }
    }

    /** The same in a node. */
    @Hidden
    public static void handled(Object made, long node, int word, int slot, int counter) {
        if (isOfHandle(made)) {
            countOne(made, wordsOf(made, counted(node, word), word, slot, counter));
        }
    }

    private static boolean isOfHandle(Object made) {
        if (U == null || made.getClass().isHidden()) {
            return false;
        }
        long block = block();
        if (U.getLong(null, block + (REFLECTED << 3)) != 0) {
            U.putLong(null, block + (REFLECTED << 3), 0);
            return false;
        }
        return true;
    }

    /**
     * Adds what a multianewarray made, level by level from the outermost array: at {@code counter + 3 * level} the
     * number of arrays, then their elements, then their aligned bytes (the formulas are the JP paper's, section 4).
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
        multi(array, levels, leaf, counted(node, word));
    }

    private static void multi(Object array, int levels, int leaf, long address) {
        if (U == null) {
            return; // nothing in the JDK makes one so early
        }
        long arrays = 1;
        Object at = array;
        for (int level = 1; ; level++, address += ARRAYS_NEXT) {
            boolean references = level < levels || leaf < 0;
            long length = references ? ((Object[]) at).length : java.lang.reflect.Array.getLength(at);
            long size = references ? BASE_REF + length * REFERENCE : (leaf == 3 ? BASE8 : BASE) + (length << leaf);
            add(address, arrays);
            add(address + ARRAYS_ELEMENTS, arrays * length);
            add(address + ARRAYS_BYTES, arrays * align(size));
            arrays *= length;
            if (level == levels || arrays == 0) {
                return;
            }
            at = ((Object[]) at)[0];
        }
    }

    /** Whether the agent answers what is asked here, and {@link $MallardVM#locate}. */
    @Stable static boolean locates;

    /** Adds one object, as {@link #nested} does for one array. */
    @ForceInline
    static void countOne(Object made, long address) {
        add(address, 1);
        object(made, address + ARRAYS_ELEMENTS);
    }
}
