import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import mallard.Allocates;
import mallard.Context;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Tests of JUnit 5 with budgets: each makes 10 arrays of 1,000 bytes, with headers 1,016 each, or others. */
class Budgeted {
    static final AtomicInteger runs = new AtomicInteger(), warm = new AtomicInteger();
    static Object kept;

    @Test
    @Allocates(max = "10160 bytes")
    void within() {
        make(10);
    }

    @Test
    @Allocates(max = "10159 bytes")
    void almost() {
        make(10);
    }

    /** What is made where exceptions leave methods, in transactions of its own, and by calls. */
    @Test
    @Allocates(max = "0 objects")
    void mixed() {
        for (int i = 0; i < 100; i++) {
            try {
                kept = new int[i];
                thrown(i);
            } catch (IllegalStateException e) {
                kept = "thrown " + i + e.getMessage();
            }
        }
        Context.begin("inside");
        make(3);
        Context.end();
        Context.enter("entered");
        make(4);
        Context.exit("entered");
        kept = ((Supplier<Object>) () -> new long[runs.get() + 1]).get();
    }

    private static void thrown(int i) {
        kept = new Object[2];
        if (i % 3 == 0) {
            throw new IllegalStateException("third");
        }
        kept = new byte[i];
    }

    /** Not held against its budget by JUnit: it says itself what became of it. */
    @Test
    @Allocates(max = "0 objects")
    void aborted() {
        make(1);
        Assumptions.abort();
    }

    @Test
    @Allocates(max = "3 objects")
    void twice() {
        make(3);
    }

    @Test
    @Allocates(max = "3 objects")
    void twice(TestInfo info) {
        make(3);
    }

    @RepeatedTest(4)
    @Allocates(max = "1 object", warmup = 2)
    void warm() {
        make(Math.min(warm.incrementAndGet(), 3) == 3 ? 1 : 5);
    }

    /** Invoked once, so that it is held against its budget. */
    @Test
    @Allocates(max = "1 object", warmup = 1)
    void cold() {
        make(2);
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
