import java.io.IOException;
import mallard.Allocates;
import org.junit.jupiter.api.RepeatedTest;

/** A test of JUnit 5 that is over its budget in each invocation. The first one waits for a byte of input. */
class BudgetedLate {
    static boolean waited;
    static Object kept;

    @RepeatedTest(5)
    @Allocates(max = "0 objects")
    void over() throws IOException {
        kept = new byte[1000];
        if (!waited) {
            waited = true;
            System.out.println("waits");
            System.in.read();
        }
    }
}
