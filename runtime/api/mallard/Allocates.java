package mallard;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a test of JUnit 5 may allocate at most, in each invocation:
 *
 * <pre>{@code
 * @Test
 * @Allocates(max = "1 MB")
 * void orders() { ... }
 * }</pre>
 *
 * <p>{@code mallard run --track contexts -o tests.mallard -- COMMAND} records the tests, and {@code mallard check
 * tests.mallard} holds each against its budget. What counts is what the test method allocates in its own thread, and
 * what it calls. The first invocation of something also has what the JVM loads for it.
 *
 * <p>Without Mallard it does nothing.
 */
@Documented
@ExtendWith(AllocatesExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Allocates {
    /** A number with a unit: bytes, kB, MB, GB, KiB, MiB, GiB, or objects. */
    String max();
}
