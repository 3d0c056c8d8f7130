// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.function.Function;

/** Exceptions that record stacks of many depths, and some that record none. The JVM takes one chunk of arrays for every 32 frames. */
class Backtraces {
    static final class Stackless extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stackless() {
            super(null, null, false, false);
        }
    }

    /** Throws with at least that many frames on the stack. */
    static int down(int frames) {
        if (frames == 0) {
            throw new IllegalStateException(); // alloc: java.lang.IllegalStateException x1040
        }
        return down(frames - 1) + 1;
    }

    static int depthOf(int frames) {
        try {
            return down(frames);
        } catch (IllegalStateException e) {
            return frames % 100 == 0 ? e.getStackTrace().length : 0;
        }
    }

    static int refilled() {
        Throwable thrown = new Throwable("again"); // alloc: java.lang.Throwable x100
        return thrown.fillInStackTrace() == thrown ? 1 : 0;
    }

    /** The innermost frame is a lambda's, which no stack trace shows. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static int inHiddenFrame() {
        Function<String, Integer> length = String::length;
        try {
            return (Integer) ((Function) length).apply(1);
        } catch (ClassCastException e) {
            return 1;
        }
    }

    static int byTheJVM(int[] array, int at) {
        try {
            return array[at];
        } catch (ArrayIndexOutOfBoundsException | NullPointerException e) {
            return 1;
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int frames = 0; frames < 1040; frames++) {
            sum += depthOf(frames) > 0 ? 1 : 0;
        }
        for (int i = 0; i < 100; i++) {
            sum += refilled() + inHiddenFrame() + byTheJVM(null, i) + byTheJVM(new int[2], 2 + i); // alloc: int[] x100
            try {
                throw new Stackless(); // alloc: Backtraces$Stackless x100
            } catch (Stackless none) {
                sum += none.getStackTrace().length;
            }
        }
        System.out.println("checksum " + sum);
    }
}
