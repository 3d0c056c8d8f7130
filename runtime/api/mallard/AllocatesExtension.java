package mallard;

import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Puts each invocation of a test with {@link Allocates} into a transaction of its own, whose name says what its budget
 * is, and fails where that was not kept. {@code mallard check} reads these names.
 */
public final class AllocatesExtension implements InvocationInterceptor {
    /** How many there were, by method and by its name. */
    private static final ConcurrentMap<Object, Integer> invocations = new ConcurrentHashMap<>();

    /** JUnit calls this. */
    public AllocatesExtension() {}

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test,
            ExtensionContext context) throws Throwable {
        intercept(invocation, test.getExecutable(), false);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test,
            ExtensionContext context) throws Throwable {
        intercept(invocation, test.getExecutable(), true);
    }

    private static void intercept(Invocation<Void> invocation, Method test, boolean repeated) throws Throwable {
        Allocates budget = test.getAnnotation(Allocates.class);
        if (budget == null) { // it is of an annotation of the program's own
            invocation.proceed();
            return;
        }
        String name = name(test, budget.max());
        if (invocations.merge(test, 1, Integer::sum) <= budget.warmup() && repeated) {
            invocation.proceed();
            return;
        }
        Context.begin(name);
        try {
            invocation.proceed();
        } finally {
            Context.end();
        }
        String over = Context.overBudget(name);
        if (over != null) {
            throw new AssertionError(over);
        }
    }

    /** No two invocations have one name, those of methods neither that differ in their parameters alone. */
    private static String name(Method test, String max) {
        String method = test.getDeclaringClass().getName() + "." + test.getName();
        int number = invocations.merge(method, 1, Integer::sum);
        String name = "@Allocates(max = \"" + max + "\") " + method;
        return number == 1 ? name : name + " #" + number;
    }
}
