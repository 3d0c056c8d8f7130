package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardObjects.*;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented code calls to count what the VM makes by itself: exceptions, what it records a stack in, what it
 * puts the stack of a virtual thread into, and what it hands to Java code when it loads and links.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardVM {
    /** Where a Throwable has its backtrace; 0 until boot. */
    @Stable private static long backtrace;

    /** Where a Throwable has its message; 0 until boot. */
    @Stable private static long message;

    /**
     * Where a continuation has the chunk that its stack was put into last, and where the last that was counted, a field
     * that Mallard adds; where a chunk has the one that lies below it. 0 until a continuation has stopped.
     */
    @Stable private static long tail;
    @Stable private static long countedTail;
    @Stable private static long parentChunk;

    /** Where a String has its hash, whether that is 0, and how it is encoded; 0 until boot. */
    @Stable private static long hash;
    @Stable private static long hashIsZero;
    @Stable private static long coder;

    /**
     * What native code has returned in the early time, two arrays of system properties (since JDK 25, when a thread is
     * started later), and the words of that time in which they count: how large they are is known at boot.
     */
    private static String[] properties, moreProperties;
    private static int propertiesWord, morePropertiesWord;

    /** Where an AccessControlContext has its protection domains; 0 until native code has made one. */
    @Stable private static long domains;

    /** What members have that throw nothing: the VM has one for all of them, and some have it for parameters. */
    private static Object noClasses;

    private $MallardVM() {}

    /** Finds the fields. Called at boot. */
    static void find(Unsafe unsafe) {
        backtrace = unsafe.objectFieldOffset(Throwable.class, "backtrace");
        message = unsafe.objectFieldOffset(Throwable.class, "detailMessage");
        hash = unsafe.objectFieldOffset(String.class, "hash");
        hashIsZero = unsafe.objectFieldOffset(String.class, "hashIsZero");
        coder = unsafe.objectFieldOffset(String.class, "coder");
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
        for (Object[] chunk = firstChunk(thrown); chunk != null; chunk = nextChunk(chunk)) {
            measure(chunk, address);
            for (int i = 0; i < chunk.length; i++) {
                int type = typeOfPart(chunk, i);
                if (type >= 0) {
                    measure(chunk[i], address + type * ARRAYS_NEXT);
                }
            }
        }
    }

    /** The first chunk that the VM has recorded the stack in for a Throwable; null: there is none. */
    static Object[] firstChunk(Throwable thrown) {
        return U == null ? null : chunk(U.getReference(thrown, backtrace));
    }

    /** The chunk behind one; null: that is the last. */
    static Object[] nextChunk(Object[] chunk) {
        for (Object part : chunk) {
            if (isChunk(part)) {
                return chunk(part);
            }
        }
        return null;
    }

    private static Object[] chunk(Object part) {
        return part instanceof Object[] ? (Object[]) part : null;
    }

    private static boolean isChunk(Object part) {
        return part instanceof Object[] && ((Object[]) part)[0] instanceof short[];
    }

    /**
     * Of which of the four types a part of a chunk is, in their order; -1: it is none of the chunk's arrays, or the VM
     * marks a hidden frame with another reference to it.
     */
    static int typeOfPart(Object[] chunk, int i) {
        Object part = chunk[i];
        if (part instanceof short[]) {
            return part == chunk[0] && i > 0 ? -1 : 1;
        } else if (part instanceof int[]) {
            return 2;
        } else if (part instanceof long[]) {
            return 3;
        }
        return part instanceof Object[] && !isChunk(part) ? 0 : -1;
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
     * Counts the name of a class that a class loader is asked for, if the VM asks: then it is a String that it has just
     * made, whose hash nobody knows. Called first thing in loadClass. As {@link #nested}, for a String and its byte[].
     *
     * @param loader the object whose loadClass that is, a class loader or not
     */
    @Hidden
    public static void asked(Object loader, String name, int counter) {
        if (isNew(name) && loader instanceof ClassLoader) {
            asked(name, at(counter));
        }
    }

    /** The same in a node. */
    @Hidden
    public static void asked(Object loader, String name, long node, int word) {
        if (isNew(name) && loader instanceof ClassLoader) {
            asked(name, counted(node, word));
        }
    }

    private static void asked(String name, long address) {
        named(name);
        text(name, address);
        if (twice() && hasPackage(name)) {
            text(name, address); // the same with slashes
        }
    }

    /** Whether nobody has asked for the hash of a String yet. */
    private static boolean isNew(String name) {
        return U != null && name != null && hash != 0 && U.getInt(name, hash) == 0 && U.getByte(name, hashIsZero) == 0;
    }

    /** Says that a name that a class loader is asked for is not the VM's: it is given its hash. */
    @Hidden
    public static void named(String name) {
        if (!isNew(name)) {
            return;
        }
        byte[] text = (byte[]) U.getReference(name, value);
        int width = 1 + U.getByte(name, coder);
        int sum = 0;
        for (int i = 0; i < text.length; i += width) {
            sum = 31 * sum + charAt(text, i, width);
        }
        if (sum != 0) {
            U.putInt(name, hash, sum);
        } else {
            U.putByte(name, hashIsZero, (byte) 1);
        }
    }

    private static int charAt(byte[] text, int i, int width) {
        return width == 1 ? text[i] & 0xff : U.getChar(text, BASE + i);
    }

    /** Whether the VM makes a name with slashes first, and then another one. The recorder has JDKs that do call
     * {@link #always}. */
    private static boolean twice() {
        return false;
    }

    private static boolean always() {
        return true;
    }

    private static boolean hasPackage(String name) {
        byte[] text = (byte[]) U.getReference(name, value);
        int width = 1 + U.getByte(name, coder);
        for (int i = 0; i < text.length; i += width) {
            if (charAt(text, i, width) == '.') {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds what native code has made and returned: an array, a String with its byte[], an array of such, or an access
     * context with its array. As {@link #nested}, for the array, String and byte[], as far as there are, or for an
     * access context and an array.
     */
    @Hidden
    public static void returned(Object made, int counter) {
        returned(made, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void returned(Object made, long node, int word) {
        returned(made, counted(node, word));
    }

    @SuppressWarnings("removal")
    private static void returned(Object made, long address) {
        if (U == null) {
            returnedEarly(made, (int) (address >>> 3) & early.length - 1);
            return;
        }
        if (made == null) {
            return;
        }
        if (made instanceof String) {
            text((String) made, address);
            return;
        }
        if (made instanceof java.security.AccessControlContext) {
            if (domains == 0) {
                domains = U.objectFieldOffset(made.getClass(), "context");
            }
            countOne(made, address);
            part(made, domains, address + ARRAYS_NEXT);
            return;
        }
        measure(made, address);
        if (made instanceof String[]) {
            for (String each : (String[]) made) {
                if (isNew(each)) {
                    named(each);
                    text(each, address + ARRAYS_NEXT);
                }
            }
        }
    }

    private static void returnedEarly(Object made, int word) {
        if (made instanceof String[] && properties == null) {
            properties = (String[]) made;
            propertiesWord = word;
        } else if (made instanceof String[] && moreProperties == null) {
            moreProperties = (String[]) made;
            morePropertiesWord = word;
        }
    }

    /** Counts what was returned in the early time. Called at boot. */
    static void countEarly() {
        count(properties, propertiesWord);
        count(moreProperties, morePropertiesWord);
        properties = moreProperties = null;
    }

    /** All strings are new: that some have been asked for their hashes since says nothing. */
    private static void count(String[] made, int word) {
        if (made == null) {
            return;
        }
        long address = $MallardThreads.address(word);
        measure(made, address);
        for (String each : made) {
            if (each != null) {
                named(each);
                text(each, address + ARRAYS_NEXT);
            }
        }
    }

    private static void text(String made, long address) {
        countOne(made, address);
        countOne(U.getReference(made, value), address + ARRAYS_NEXT);
    }

    /**
     * Counts what the VM hands to a method that links an instruction, if it is an array or a name: it has made that.
     * Called first thing. As {@link #nested}, for Object[], Class[], String and byte[].
     */
    @Hidden
    public static void linked(Object handed, int counter) {
        linked(handed, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void linked(Object handed, long node, int word) {
        linked(handed, counted(node, word));
    }

    private static void linked(Object handed, long address) {
        if (U == null || handed == null) {
            return;
        }
        if (handed.getClass() == Object[].class) {
            measure(handed, address);
        } else if (handed.getClass() == Class[].class) {
            measure(handed, address + ARRAYS_NEXT);
        } else if (handed instanceof String && isNew((String) handed)) {
            named((String) handed);
            text((String) handed, address + 2 * ARRAYS_NEXT);
        }
    }

    /**
     * Counts what the VM has made to say of which methods, constructors or fields a class has: an array of them, arrays
     * of Class, byte[] with annotations, and signatures. Names are interned. As {@link #nested} for what the array is
     * of, its elements, Class[], byte[] and String.
     */
    @Hidden
    public static void members(Object[] made, int counter) {
        members(made, at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void members(Object[] made, long node, int word) {
        members(made, counted(node, word));
    }

    private static void members(Object[] made, long address) {
        if (U == null || !locates) {
            return;
        }
        measure(made, address);
        try {
            Class<?> of = made.getClass().getComponentType();
            long signature = U.objectFieldOffset(of, "signature");
            long annotations = U.objectFieldOffset(of, "annotations");
            long taken = of == Field.class ? 0 : U.objectFieldOffset(of, "parameterTypes");
            long thrown = of == Field.class ? 0 : U.objectFieldOffset(of, "exceptionTypes");
            long parameters = of == Field.class ? 0 : U.objectFieldOffset(of, "parameterAnnotations");
            long value = of == Method.class ? U.objectFieldOffset(of, "annotationDefault") : 0;
            for (Object each : made) {
                countOne(each, address + ARRAYS_NEXT);
                types(each, taken, thrown, address + 2 * ARRAYS_NEXT);
                part(each, annotations, address + 3 * ARRAYS_NEXT);
                part(each, parameters, address + 3 * ARRAYS_NEXT);
                part(each, value, address + 3 * ARRAYS_NEXT);
                Object text = U.getReference(each, signature);
                if (text != null) {
                    countOne(text, address + 4 * ARRAYS_NEXT);
                    part(text, $MallardObjects.value, address + 3 * ARRAYS_NEXT);
                }
            }
        } catch (Throwable mine) {
            // a full stack: what else was made has no site
        }
    }

    /** Adds the array that an object has in a field, if there is such a field, and an array. */
    private static void part(Object of, long field, long address) {
        Object array = field == 0 ? null : U.getReference(of, field);
        if (array != null) {
            measure(array, address);
        }
    }

    private static void types(Object member, long taken, long thrown, long address) {
        if (taken != 0) {
            Object[] exceptions = (Object[]) U.getReference(member, thrown);
            if (exceptions.length > 0) {
                measure(exceptions, address);
            } else {
                noClasses = exceptions;
            }
            if (U.getReference(member, taken) != noClasses) {
                part(member, taken, address);
            }
        }
    }

    /**
     * Counts a thread that native code attaches, which the VM makes, and its name, if it has been given one. Before its
     * constructor runs, which nobody else can, it is the running thread. Called last thing there, in two constructors,
     * of which the other one is given no name. As {@link #nested}, for Thread, String and byte[].
     */
    @Hidden
    public static void attached(Thread made, Object name, int counter) {
        if (U != null && made == Thread.currentThread()) {
            attached(made, name, at(counter));
        }
    }

    /** The same in a node. */
    @Hidden
    public static void attached(Thread made, Object name, long node, int word) {
        if (U != null && made == Thread.currentThread()) {
            attached(made, name, counted(node, word));
        }
    }

    private static void attached(Thread made, Object name, long address) {
        countOne(made, address);
        if (name instanceof String) {
            text((String) name, address + ARRAYS_NEXT);
        }
    }

    /**
     * Says where to count what the VM puts the stack of the running thread into, if that stops. Called in front of
     * VirtualThread.yieldContinuation, with contexts. As {@link #nested} for one array.
     */
    @Hidden
    public static void stops(int counter) {
        $MallardThreads.stops(at(counter));
    }

    /** The same in a node. */
    @Hidden
    public static void stops(long node, int word) {
        $MallardThreads.stops(counted(node, word));
    }

    /**
     * Counts what the VM has made to put the stack of a virtual thread into that has stopped: where that has said to
     * count it, or, without contexts, or if a monitor has stopped it, here. Mostly the VM uses what is there already.
     * As {@link #nested} for one array.
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
            long said = $MallardThreads.stopped();
            long first = said != 0 ? said : address;
            add(first, 1);
            add(first + ARRAYS_BYTES, size(chunk));
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
