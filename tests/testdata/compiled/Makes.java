import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * What a round makes: {@code "java.lang.String 1, byte[] 1..2"}. What is not named it does not make. {@code "Point 1?"}
 * stands for an object that compilers may remove, also without escape analysis: it is counted, and may not be made.
 * {@code "(uncounted) 24"} is what is made and known not to be counted, in bytes.
 */
@Retention(RetentionPolicy.RUNTIME)
@interface Makes {
    String value();
}
