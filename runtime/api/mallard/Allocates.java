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
 * <p>Under {@code mallard run --track contexts -o tests.mallard -- COMMAND} a test that allocates more fails, and
 * {@code mallard check tests.mallard} says the same afterwards. What counts is what the test method allocates in its
 * own thread, and what it calls. The first invocation of something also has what the JVM loads for it.
 *
 * <p>Without Mallard it does nothing, nor where Mallard cannot tell in time: then {@code mallard check} does.
 */
@Documented
@ExtendWith(AllocatesExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Allocates {
    /** A number with a unit: bytes, kB, MB, GB, KiB, MiB, GiB, or objects. */
    String max();

    /**
     * How many invocations in each JVM may allocate what they like, before the first that counts. This is for tests
     * that are invoked several times, by {@code @RepeatedTest}, {@code @ParameterizedTest} or another template; one
     * that is invoked once counts.
     */
    int warmup() default 0;
}
