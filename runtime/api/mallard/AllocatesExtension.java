package mallard;

import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Puts each invocation of a test with {@link Allocates} into a transaction of its own, whose name says what its budget
 * is. {@code mallard check} reads these names.
 */
public final class AllocatesExtension implements InvocationInterceptor {
    private static final ConcurrentMap<Method, Integer> invocations = new ConcurrentHashMap<>();

    /** JUnit calls this. */
    public AllocatesExtension() {}

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test,
            ExtensionContext context) throws Throwable {
        Allocates budget = test.getExecutable().getAnnotation(Allocates.class);
        if (budget == null) { // it is of an annotation of the program's own
            invocation.proceed();
            return;
        }
        Context.begin(name(test.getExecutable(), budget.max()));
        try {
            invocation.proceed();
        } finally {
            Context.end();
        }
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test,
            ExtensionContext context) throws Throwable {
        interceptTestMethod(invocation, test, context);
    }

    private static String name(Method test, String max) {
        int number = invocations.merge(test, 1, Integer::sum);
        String name = "@Allocates(max = \"" + max + "\") " + test.getDeclaringClass().getName() + "."
                + test.getName();
        return number == 1 ? name : name + " #" + number;
    }
}
