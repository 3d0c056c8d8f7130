package org.junit.jupiter.api.extension;

import java.lang.reflect.Method;

public interface InvocationInterceptor extends Extension {
    interface Invocation<T> {
        T proceed() throws Throwable;
    }

    default void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test,
            ExtensionContext context) throws Throwable {
        invocation.proceed();
    }

    default void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test,
            ExtensionContext context) throws Throwable {
        invocation.proceed();
    }
}
