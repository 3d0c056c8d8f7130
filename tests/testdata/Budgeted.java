import java.util.concurrent.atomic.AtomicInteger;
import mallard.Allocates;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests of JUnit 5 with budgets: each makes 10 arrays of 1,000 bytes, with headers 1,016 each, or others. */
class Budgeted {
    static final AtomicInteger runs = new AtomicInteger();
    static Object kept;

    @Test
    @Allocates(max = "10160 bytes")
    void within() {
        make(10);
    }

    @Test
    @Allocates(max = "10 kB")
    void over() {
        make(10);
    }

    @Test
    @Allocates(max = "0 objects")
    void nothing() {}

    @Test
    @Allocates(max = "a lot")
    void unreadable() {
        make(1);
    }

    @Test
    void unbounded() {
        make(100);
    }

    @RepeatedTest(3)
    @Allocates(max = "20 objects")
    void repeated() {
        make(runs.incrementAndGet() == 2 ? 21 : 20);
    }

    @Nested
    class Inner {
        @Test
        @Allocates(max = "1 object")
        void inner() {
            make(2);
        }
    }

    private static void make(int n) {
        for (int i = 0; i < n; i++) {
            kept = new byte[1000];
        }
    }
}
