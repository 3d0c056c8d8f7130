package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

import jdk.internal.vm.annotation.ForceInline;

/**
 * What method handles call in the place of methods that make objects for their caller, who counts them: a method handle
 * counts nothing. They call the same, and as this class is instrumented like all others, count what that makes, for
 * whoever has called the method handle, where that has said so ({@link $MallardReflection#caller}).
 *
 * <p>Defined with {@link $Mallard}. Its methods stand in no stack trace, and those that ask who called them look past
 * them.
 */
final class $MallardStandIns {
    private $MallardStandIns() {}

    @ForceInline
    static Object[] copyOf(Object[] from, int length) {
        return Arrays.copyOf(from, length);
    }

    @ForceInline
    static Object[] copyOf(Object[] from, int length, Class<? extends Object[]> type) {
        return Arrays.copyOf(from, length, type);
    }

    @ForceInline
    static Object[] copyOfRange(Object[] from, int first, int end) {
        return Arrays.copyOfRange(from, first, end);
    }

    @ForceInline
    static Object[] copyOfRange(Object[] from, int first, int end, Class<? extends Object[]> type) {
        return Arrays.copyOfRange(from, first, end, type);
    }

    @ForceInline
    static Object newInstance(Class<?> element, int length) {
        return Array.newInstance(element, length);
    }

    @ForceInline
    static Object newInstance(Class<?> element, int[] lengths) {
        return Array.newInstance(element, lengths);
    }

    @ForceInline
    static Object get(Object array, int index) {
        return Array.get(array, index);
    }

    @ForceInline
    @SuppressWarnings("deprecation")
    static Object newInstance(Class<?> of) throws InstantiationException, IllegalAccessException {
        return of.newInstance();
    }

    @ForceInline
    static Object newInstance(Constructor<?> constructor, Object[] arguments)
        throws InstantiationException, IllegalAccessException, InvocationTargetException {
        return constructor.newInstance(arguments);
    }

    @ForceInline
    static Object clone(Object of) throws CloneNotSupportedException {
        return of.clone();
    }

    /** As clone, of a class or not that has another one: what invokespecial calls. */
    @ForceInline
    static Object cloneSpecially(Object of) throws Throwable {
        return made($MallardReflection.cloneSpecially(of));
    }

    /** Counts a string that a call site of StringConcatFactory has concatenated, and its array if it is its own. */
    @ForceInline
    static String concatenated(String string) {
        made(string);
        Object array = $MallardReflection.concatenated(string);
        if (array != null) {
            made(array);
        }
        return string;
    }

    /** The same where one argument of a basic type is the string, unless there is more in it: others count it then. */
    @ForceInline
    static String converted(String string) {
        Object array = $MallardReflection.converted(string);
        if (array != null) {
            made(string);
            made(array);
        }
        return string;
    }

    /** Has the array counted of a string that a record's toString concatenates. */
    @ForceInline
    static String deferred(String string) {
        $MallardReflection.deferOwn(string);
        return string;
    }

    /** Counts an object that a call site of LambdaMetafactory has made. */
    @ForceInline
    static Object captured(Object object) {
        return made(object);
    }

    /** An object that has been made and that nobody has counted: whoever calls this does. */
    @ForceInline
    static Object made(Object object) {
        return object;
    }

    /** @param unsafe an Unsafe, of either kind */
    @ForceInline
    static Object allocateInstance(Object unsafe, Class<?> of) throws InstantiationException {
        return $Mallard.U.allocateInstance(of);
    }
}
