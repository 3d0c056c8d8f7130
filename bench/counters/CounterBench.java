package java.lang;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What one increment costs beside an allocation, for each way a counter could be kept. Lives in java.lang, through
 * {@code --patch-module java.base}, because the candidates need fields in Thread (put there beforehand: {@code
 * $counters}, an array, and {@code $page}, the address of memory outside of the heap) and jdk.internal.misc.Unsafe.
 *
 * <pre>java --patch-module java.base=FOLDER java.lang.CounterBench LOOP ROUNDS</pre>
 *
 * Each candidate is a method of its own, so that each has a compiled body of its own, and is measured in two patterns:
 * LOOP turns in one call, where the compiler may keep the counter's address in a register, and LOOP calls of one turn,
 * where each call has to find its thread. Prints nanoseconds, pattern and candidate for each round; from the
 * nanoseconds is taken what the same takes without a counter in that round.
 */
public final class CounterBench {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int COUNTERS = 512;
    private static final int RING = 1024;

    private static final long[] SHARED = new long[COUNTERS];
    private static final LongAdder ADDER = new LongAdder();
    private static final long SHARED_PAGE = UNSAFE.allocateMemory(8L * COUNTERS);

    /** Keeps the objects for a while, so that they are really allocated. */
    private static final Object[] ring = new Object[RING];

    private static final String[] NAMES = {
        "none",
        "static long[] (loses counts)",
        "long[] in Thread, inline",
        "long[] in Thread, helper",
        "off-heap page, inline",
        "off-heap page, helper",
        "atomic add",
        "LongAdder",
    };
    private static final int NONE = 0;

    private static void run(int candidate, int n) {
        switch (candidate) {
            case 0: none(n); break;
            case 1: sharedArray(n); break;
            case 2: threadArrayInline(n); break;
            case 3: threadArrayHelper(n); break;
            case 4: pageInline(n); break;
            case 5: pageHelper(n); break;
            case 6: atomic(n); break;
            default: adder(n); break;
        }
    }

    @DontInline
    private static void none(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
        }
    }

    @DontInline
    private static void sharedArray(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            SHARED[17]++;
        }
    }

    @DontInline
    private static void threadArrayInline(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            Thread.currentCarrierThread().$counters[17]++;
        }
    }

    @ForceInline
    private static void countInArray(int counter) {
        Thread.currentCarrierThread().$counters[counter]++;
    }

    @DontInline
    private static void threadArrayHelper(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            countInArray(17);
        }
    }

    @DontInline
    private static void pageInline(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            long address = Thread.currentCarrierThread().$page + 8 * 17;
            UNSAFE.putLong(address, UNSAFE.getLong(address) + 1);
        }
    }

    @ForceInline
    private static void countInPage(int counter) {
        long address = Thread.currentCarrierThread().$page + 8L * counter;
        UNSAFE.putLong(address, UNSAFE.getLong(address) + 1);
    }

    @DontInline
    private static void pageHelper(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            countInPage(17);
        }
    }

    @DontInline
    private static void atomic(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            UNSAFE.getAndAddLong(null, SHARED_PAGE + 8 * 17, 1);
        }
    }

    @DontInline
    private static void adder(int n) {
        for (int i = 0; i < n; i++) {
            ring[i & RING - 1] = new Object();
            ADDER.increment();
        }
    }

    public static void main(String[] args) {
        int loop = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        Thread thread = Thread.currentThread();
        thread.$counters = new long[COUNTERS];
        thread.$page = UNSAFE.allocateMemory(8L * COUNTERS);
        UNSAFE.setMemory(thread.$page, 8L * COUNTERS, (byte) 0);
        UNSAFE.setMemory(SHARED_PAGE, 8L * COUNTERS, (byte) 0);

        for (int turns : new int[] {loop, 1}) {
            measure(turns == 1 ? "call" : "loop", loop, turns, rounds);
        }
        long[] expected = thread.$counters;
        if (expected[17] != 2 * SHARED[17] || UNSAFE.getLong(thread.$page + 8 * 17) != 2 * SHARED[17] ||
                ADDER.sum() != SHARED[17]) {
            throw new IllegalStateException("counts differ: " + Arrays.asList(expected[17], SHARED[17], ADDER.sum()));
        }
    }

    private static void measure(String pattern, int loop, int turns, int rounds) {
        // Shorter first, until all bodies are compiled and none is in the middle of a replacement.
        for (int i = 0; i < 60; i++) {
            for (int candidate = 0; candidate < NAMES.length; candidate++) {
                repeat(candidate, loop / 20, Math.min(turns, loop / 20));
            }
        }
        double[] nanos = new double[NAMES.length];
        for (int round = 0; round < rounds; round++) {
            for (int candidate = 0; candidate < NAMES.length; candidate++) {
                nanos[candidate] = best(candidate, loop, turns);
            }
            for (int candidate = 0; candidate < NAMES.length; candidate++) {
                double result = candidate == NONE ? nanos[NONE] : nanos[candidate] - nanos[NONE];
                System.out.println(result + "\t" + pattern + "\t" + NAMES[candidate]);
            }
        }
    }

    /** Nanoseconds for one turn: the best of five, since what disturbs a run only adds to it. */
    private static double best(int candidate, int loop, int turns) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long start = System.nanoTime();
            repeat(candidate, loop, turns);
            best = Math.min(best, System.nanoTime() - start);
        }
        return (double) best / loop;
    }

    private static void repeat(int candidate, int loop, int turns) {
        for (int done = 0; done < loop; done += turns) {
            run(candidate, turns);
        }
    }
}
