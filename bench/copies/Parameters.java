package copies;

import org.codehaus.groovy.runtime.MetaClassHelper;
import org.codehaus.groovy.runtime.wrappers.Wrapper;

/** Shared constants: for each call Groovy makes an array of its arguments' classes, mostly of none or of one. */
public final class Parameters {
    private static final Class<?>[] NONE = {};
    private static final ClassValue<Class<?>[]> ONE = new ClassValue<>() {
        @Override
        protected Class<?>[] computeValue(Class<?> type) {
            return new Class<?>[] {type};
        }
    };

    private Parameters() {}

    /** In the place of MetaClassHelper's, whose callers only read what they get. */
    @SuppressWarnings("rawtypes")
    public static Class[] convertToTypeArray(Object[] arguments) {
        if (arguments != null && arguments.length == 0) {
            return NONE;
        }
        if (arguments != null && arguments.length == 1 && arguments[0] != null && !(arguments[0] instanceof Wrapper)) {
            return ONE.get(arguments[0].getClass());
        }
        return MetaClassHelper.convertToTypeArray(arguments);
    }
}
