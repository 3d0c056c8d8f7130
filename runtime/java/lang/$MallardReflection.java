package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardClasses.*;
import static java.lang.$MallardObjects.*;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented code calls around what is called by method handles and by reflection: whose callers count what
 * methods make for them.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
public final class $MallardReflection {
    /**
     * The first counter of the innermost call of a method handle, or by reflection; 0 for none. After an exception, or
     * where a virtual thread has another carrier meanwhile, it stays until the next call: what is made then, and
     * nobody has said for whom, is counted at that line.
     */
    private static final int CALLER = WORD_CALLER;

    /** Where a direct method handle has its member, and each its form; 0 until there was one. */
    @Stable private static long member;
    @Stable private static long form;

    /** Where a member has its class and its name, and that which it stands for, a field that Mallard adds. */
    @Stable private static long declaring;
    @Stable private static long name;
    @Stable private static long standsFor;

    /** Calls Object.clone of whatever object; null until a method handle does. */
    @Stable private static MethodHandle special;

    private $MallardReflection() {}

    /** Says that a method handle is called, or a method by reflection, and where what that makes for its caller is
     * counted, as {@link $MallardObjects#nested} does for one array. */
    @ForceInline
    @Hidden
    public static void calls(int counter) {
        if (U != null) {
            U.putInt(null, Thread.currentThread().$mallard + SHARED + (CALLER << 3), counter);
        }
    }

    /** Says that it has been called. */
    @ForceInline
    @Hidden
    public static void called() {
        calls(0);
    }

    /** The first counter for what is made for a caller, given that of the code that makes it. */
    @ForceInline
    @Hidden
    public static int caller(int counter) {
        int caller = U == null ? 0 : U.getInt(null, Thread.currentThread().$mallard + SHARED + (CALLER << 3));
        return caller != 0 ? caller : counter;
    }

    /** Adds an object that was made for a caller. As {@link $MallardObjects#nested} for one array. */
    @ForceInline
    @Hidden
    public static void forCaller(Object made, int counter) {
        if (U != null) {
            countOne(made, at(countersOf(made, counter)));
        }
    }

    /** The same in a node. */
    @ForceInline
    @Hidden
    public static void forCaller(Object made, long node, int word, int slot, int counter) {
        if (U != null) {
            countOne(made, wordsOf(made, counted(node, word), word, slot, counter));
        }
    }

    /**
     * Adds the object that a Constructor has made, if an exception says that it was made and the constructor has thrown
     * that: at the line that has called it. As {@link $MallardObjects#nested}, where that is not known. What the VM
     * throws for want of memory or stack may have come before there was an object.
     */
    @Hidden
    public static void lost(Throwable thrown, Object constructor, int counter) {
        Class<?> made = madeBefore(thrown, constructor);
        if (made != null) {
            long found = lost(made);
            int first = (int) found;
            addLost(at(first >= 0 ? first : countersFor(made, counter)), found >>> 32);
        }
    }

    /** The same in a node. */
    @Hidden
    public static void lost(Throwable thrown, Object constructor, long node, int word, int slot, int counter) {
        Class<?> made = madeBefore(thrown, constructor);
        if (made != null) {
            addLost(wordsFor(made, counted(node, word), word, slot, counter), lost(made) >>> 32);
        }
    }

    /**
     * The class of the object that was made before the exception; null for none, and for one that serialization has
     * made: that has a Constructor of its own, which is nobody's copy, and may be of a class that inherits from the
     * constructor's.
     */
    private static Class<?> madeBefore(Throwable thrown, Object constructor) {
        if (U == null || !locates || !(thrown instanceof InvocationTargetException)
            || ((InvocationTargetException) thrown).getTargetException() instanceof VirtualMachineError) {
            return null;
        }
        try {
            Object copied = U.getReference(constructor, U.objectFieldOffset(Constructor.class, "root"));
            return copied == null ? null : ((Constructor<?>) constructor).getDeclaringClass();
        } catch (Throwable mine) {
            return null; // a full stack: what was made has no site
        }
    }

    private static void addLost(long address, long bytes) {
        if (bytes != 0) {
            add(address, 1);
            add(address + ARRAYS_BYTES, bytes);
        }
    }

    /**
     * The bytes of objects of a class, 0 if they are not known, and in the lower half the first of the counters for one
     * at the line that has called the Constructor; with contexts, and where there is none, a negative number. Found as
     * {@link $Mallard#rewrite} is.
     */
    private static native long lost(Class<?> made);

    /** Adds a box, if the array that it was got from is none of references. As {@link $MallardObjects#nested}. */
    @Hidden
    public static void boxed(Object array, Object made, int counter) {
        if (!(array instanceof Object[])) {
            forCaller(made, counter);
        }
    }

    /** The same in a node. */
    @Hidden
    public static void boxed(Object array, Object made, long node, int word, int slot, int counter) {
        if (!(array instanceof Object[])) {
            forCaller(made, node, word, slot, counter);
        }
    }

    /**
     * Adds what native code that has called a method by reflection has made of what that returned: a box; and what the
     * method makes for its caller. As {@link $MallardObjects#nested}.
     *
     * @param accessor has the method
     */
    @Hidden
    public static void invoked(Object returned, Object accessor, Object[] arguments, int counter) {
        Method called = U == null || returned == null ? null : methodOf(accessor);
        if (called != null && makes(called, returned, arguments)) {
            if (isNested(called, arguments)) {
                nested(returned, counter);
            } else {
                forCaller(returned, counter);
            }
        }
    }

    /** The same in a node. */
    @Hidden
    public static void invoked(Object returned, Object accessor, Object[] arguments, long node, int word, int slot,
        int counter) {
        Method called = U == null || returned == null ? null : methodOf(accessor);
        if (called != null && makes(called, returned, arguments)) {
            if (isNested(called, arguments)) {
                nested(returned, node, word, slot, counter);
            } else {
                forCaller(returned, node, word, slot, counter);
            }
        }
    }

    private static Method methodOf(Object accessor) {
        try {
            return (Method) U.getReference(accessor, U.objectFieldOffset(accessor.getClass(), "method"));
        } catch (Throwable mine) {
            return null; // a full stack: what was made has no site
        }
    }

    private static boolean makes(Method called, Object returned, Object[] arguments) {
        if (called.getReturnType().isPrimitive()) {
            return true;
        }
        Class<?> of = called.getDeclaringClass();
        String name = called.getName();
        if (of == Array.class && name.equals("get")) {
            return !(arguments[0] instanceof Object[]);
        } else if (of == Object.class) {
            return name.equals("clone") && hasObjectsClone(returned.getClass());
        } else if (of == Arrays.class) {
            return called.getReturnType() == Object[].class && name.startsWith("copyOf");
        }
        return isOwn(of, name);
    }

    /** Whether a method, one of none of those classes, makes an object for its caller. */
    private static boolean isOwn(Class<?> of, String name) {
        if (of.getClassLoader0() != null) {
            return false; // comparing names begins a context in which nothing has announced that
        }
        if (of == Array.class || of == Class.class || of == Constructor.class) {
            return name.equals("newInstance");
        }
        return name.equals("allocateInstance") && (of == Unsafe.class || of.getName().equals("sun.misc.Unsafe"));
    }

    private static boolean isNested(Method called, Object[] arguments) {
        return called.getDeclaringClass() == Array.class && arguments[1] instanceof int[];
    }

    /**
     * Has a new direct method handle call what stands for its method, where that makes something for its caller. Called
     * before its constructor returns.
     */
    @Hidden
    public static void handle(Object handle) {
        if (U == null || standsFor < 0) {
            return;
        }
        try {
            if (standsFor == 0) {
                find(handle);
            }
            Object own = U.getReference(handle, member);
            MethodType type = standInType(handle, (Class<?>) U.getReference(own, declaring), own);
            if (type != null) {
                standIn(handle, own, type);
            }
        } catch (Throwable mine) {
            // what it makes is not counted
        }
    }

    @DontInline
    private static void find(Object handle) {
        long found = -1;
        try {
            Class<?> direct = handle.getClass();
            while (direct.getSuperclass() != MethodHandle.class) {
                direct = direct.getSuperclass();
            }
            member = U.objectFieldOffset(direct, "member");
            form = U.objectFieldOffset(MethodHandle.class, "form");
            Class<?> members = U.getReference(handle, member).getClass();
            declaring = U.objectFieldOffset(members, "clazz");
            name = U.objectFieldOffset(members, "name");
            found = U.objectFieldOffset(members, "$mallard");
        } finally {
            standsFor = found;
        }
    }

    /**
     * Has what a call site of StringConcatFactory makes counted, which the program has got by calling that: by who
     * calls its target.
     */
    @Hidden
    public static void concatSite(Object site) {
        if (U == null || site == null) {
            return;
        }
        try {
            MethodType type = ((CallSite) site).type();
            boolean converts = type.parameterCount() == 1 && type.parameterType(0).isPrimitive();
            if (type.parameterCount() > 0) {
                filter((CallSite) site, converts ? "converted" : "concatenated", String.class);
            }
        } catch (Throwable mine) {
            // what it makes is not counted
        }
    }

    /** The same for LambdaMetafactory. Where nothing is captured, there is one object, which has been made. */
    @Hidden
    public static void lambdaSite(Object site) {
        if (U == null || site == null) {
            return;
        }
        try {
            if (((CallSite) site).type().parameterCount() > 0) {
                filter((CallSite) site, "captured", Object.class);
            }
        } catch (Throwable mine) {
            // what it makes is not counted
        }
    }

    /**
     * Has the arrays deferred of strings that a call site makes for a record's toString, which takes what is deferred.
     */
    @Hidden
    public static void recordSite(Object site) {
        if (U == null || site == null) {
            return;
        }
        try {
            filter((CallSite) site, "deferred", String.class);
        } catch (Throwable mine) {
            // what it makes is not counted
        }
    }

    /** Defers the array of a string unless that is another's, or deferred. */
    @ForceInline
    @Hidden
    static void deferOwn(String string) {
        if (U != null && hasOwnArray(string)) {
            deferArray(U.getReference(string, value));
        }
    }

    /** Nobody else has the call site yet. */
    private static void filter(CallSite site, String by, Class<?> of) throws ReflectiveOperationException {
        MethodHandle target = site.getTarget();
        Class<?> returned = target.type().returnType();
        MethodHandle filter = MethodHandles.lookup().findStatic($MallardStandIns.class, by,
            MethodType.methodType(of, of)).asType(MethodType.methodType(returned, returned));
        U.putReference(site, U.objectFieldOffset(CallSite.class, "target"),
            MethodHandles.filterReturnValue(target, filter));
    }

    /** The array of a string that has just been concatenated, null if it is another's. Nobody else counts it then. */
    @ForceInline
    @Hidden
    static Object concatenated(String string) {
        if (U == null) {
            return null;
        }
        return hasOwnArray(string) || forgetDeferred() ? U.getReference(string, value) : null;
    }

    /** The same of one that String.valueOf may have made of a basic type, and counted. */
    @ForceInline
    @Hidden
    static Object converted(String string) {
        if (U == null) {
            return null;
        }
        boolean own = executed != 0 && U.getByte(string, executed) == 2;
        return own || forgetDeferred() ? U.getReference(string, value) : null;
    }

    @ForceInline
    @Hidden
    static Object cloneSpecially(Object of) throws Throwable {
        return (Object) special.invokeExact(of);
    }

    /** The type of what stands for a member, null if nothing has to. */
    private static MethodType standInType(Object handle, Class<?> of, Object own) {
        String called = (String) U.getReference(own, name);
        MethodType type = ((MethodHandle) handle).type();
        if (of == Object.class) {
            return "clone".equals(called) ? MethodType.methodType(Object.class, Object.class) : null;
        } else if (of == Arrays.class) {
            boolean copies = "copyOf".equals(called) || "copyOfRange".equals(called);
            return copies && type.returnType() == Object[].class ? type : null;
        } else if (of == Array.class && "get".equals(called)) {
            return type;
        } else if (called == null || !isOwn(of, called)) {
            return null;
        }
        return called.equals("allocateInstance") ? type.changeParameterType(0, Object.class) : type;
    }

    @DontInline
    private static void standIn(Object handle, Object own, MethodType type) throws ReflectiveOperationException {
        String called = (String) U.getReference(own, name);
        if (handle.getClass().getName().endsWith("$Special")) { // Object.clone, which no other class can call so
            called = "cloneSpecially";
            if (special == null) {
                MethodHandle calls = MethodHandles.lookup().findStatic($MallardStandIns.class, called, type);
                U.putReference(calls, member, own);
                U.putReference(calls, form, U.getReference(handle, form));
                special = calls;
            }
        }
        MethodHandle other = MethodHandles.lookup().findStatic($MallardStandIns.class, called, type);
        Object its = U.getReference(other, member);
        U.putReference(its, standsFor, own);
        U.putReference(handle, member, its);
        U.putReference(handle, form, U.getReference(other, form));
    }

    /** The fields of a class that a program asks for, without Mallard's. The VM interns their names. Called before they
     * are returned. */
    @Hidden
    public static Field[] declared(Field[] fields) {
        int ours = 0;
        for (Field field : fields) {
            ours += isOurs(field) ? 1 : 0;
        }
        if (ours == 0) {
            return fields;
        }
        Field[] others = new Field[fields.length - ours];
        int n = 0;
        for (Field field : fields) {
            if (!isOurs(field)) {
                others[n++] = field;
            }
        }
        return others;
    }

    @Hidden
    private static boolean isOurs(Field field) {
        Class<?> in = field.getDeclaringClass();
        if (in.getClassLoader0() != null) {
            return false;
        }
        String name = field.getName();
        return name == "$mallard" || in == Thread.class && (name == "$next" || name == "$table" || name == "$called");
    }

    /** What the member of a method handle stands for, or that itself. Called before it is returned. */
    @Hidden
    public static Object revealed(Object own) {
        Object other = U == null || standsFor <= 0 ? null : U.getReference(own, standsFor);
        return other != null ? other : own;
    }
}
