package org.junit.jupiter.api.extension;

import java.lang.reflect.Executable;

public interface ReflectiveInvocationContext<T extends Executable> {
    T getExecutable();
}
