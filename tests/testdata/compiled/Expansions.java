/** What compilers expand where it stands, move or take away, besides calls: allocations, boxes, exceptions. */
class Expansions {
    static class Pair {
        final int a;
        final Object b;

        Pair(int a, Object b) {
            this.a = a;
            this.b = b;
        }
    }

    /** C2 takes away what nobody uses, also without escape analysis. */
    @Makes("Expansions$Pair 1?")
    static class Unused extends Probe {
        Object round(int i) {
            Pair pair = new Pair(i, this);
            return this;
        }
    }

    @Makes("int[] 1?, Expansions$Pair 1?")
    static class UnusedArray extends Probe {
        Object round(int i) {
            int[] numbers = new int[i & 15];
            Pair pair = new Pair(numbers.length, null);
            return pair.a < 0 ? sink : this;
        }
    }

    /** For more than five dimensions C2 makes an array of lengths for the VM: nobody can count that, and a loss says it. */
    @Makes("(uncounted) 0..40, int[][][][][][] 1, int[][][][][] 2, int[][][][] 2, int[][][] 4, int[][] 4, int[] 8")
    static class SixDimensions extends Probe {
        Object round(int i) {
            return new int[2][1][2][1][2][3];
        }
    }

    @Makes("java.lang.String[][][] 1, java.lang.String[][] 3")
    static class EmptyDimension extends Probe {
        final int three = Integer.getInteger("three", 3);

        Object round(int i) {
            return new String[three][0][5];
        }
    }

    /** C2 makes an array right where it is copied to, behind checks; where these fail, code starts over at newarray. */
    @Makes("int[] 1..2, java.lang.ArrayIndexOutOfBoundsException 0..1, java.lang.String 0..1, byte[] 0..2,"
        + " java.lang.Object[] 0..2, long[] 0..1, short[] 0..1, java.lang.StringBuilder 0..1")
    static class MovedAllocation extends Probe {
        final int[] from = {1, 2, 3, 4, 5, 6, 7, 8};

        Object round(int i) {
            int at = i % 100 == 0 ? 7 : i & 3;
            int[] copy = new int[4];
            try {
                System.arraycopy(from, at, copy, 0, 4);
            } catch (ArrayIndexOutOfBoundsException e) {
                return copy;
            }
            return copy;
        }
    }

    /** Objects that are split, and come back where the code goes on without compilation. */
    @Makes("java.lang.Integer 0..1, Expansions$Pair 0..1")
    static class BoxesComeBack extends Probe {
        Object round(int i) {
            Integer boxed = i + 1000;
            if (i % 1000 == 999) {
                sink = new Pair(i, boxed);
                return boxed;
            }
            return boxed > 0 ? this : sink;
        }
    }

    /** Either of two, where both flow together. */
    @Makes("Expansions$Pair 1, java.lang.Integer 1?")
    static class Merged extends Probe {
        Object round(int i) {
            Pair pair = (i & 1) == 0 ? new Pair(i, this) : new Pair(i + 1, null);
            return pair.a + 1000;
        }
    }

    /** What is made for a lock that nobody else has. */
    @Makes("java.lang.Object 1?")
    static class LockedForNothing extends Probe {
        int n;

        Object round(int i) {
            synchronized (new Object()) {
                n += i;
            }
            return this;
        }
    }

    static final String THROWN = ", java.lang.String 0..2, byte[] 0..3, java.lang.Object[] 0..2, int[] 0..1,"
        + " long[] 0..1, short[] 0..1, java.lang.StringBuilder 0..1, char[] 0..1";

    @Makes("java.lang.ArithmeticException 0..1" + THROWN)
    static class DividedByZero extends Probe {
        int zero;

        Object round(int i) {
            try {
                return i / zero == 7 ? this : sink;
            } catch (ArithmeticException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.NullPointerException 0..1" + THROWN)
    static class Nothing extends Probe {
        Pair none;

        Object round(int i) {
            try {
                return none.b;
            } catch (NullPointerException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.ClassCastException 0..1" + THROWN)
    static class BadCast extends Probe {
        final Object text = "text";

        Object round(int i) {
            try {
                return ((Pair) text).b;
            } catch (ClassCastException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.ArrayStoreException 0..1" + THROWN)
    static class BadStore extends Probe {
        final Object[] strings = new String[1];

        Object round(int i) {
            try {
                strings[0] = this;
                return this;
            } catch (ArrayStoreException e) {
                return e;
            }
        }
    }

    /** The VM makes an exception each time, and no array. */
    @Makes("java.lang.NegativeArraySizeException 1, java.lang.String 1, byte[] 1, java.lang.Object[] 1..2, int[] 1,"
        + " long[] 1, short[] 1, char[] 0..1")
    static class NegativeLength extends Probe {
        Object round(int i) {
            try {
                return new double[-1 - (i & 1)];
            } catch (NegativeArraySizeException e) {
                return e;
            }
        }
    }

    /** Who is to be finalised has a Finalizer. */
    @Makes("Expansions$Finalised$Last 1, java.lang.ref.Finalizer 1")
    static class Finalised extends Probe {
        static class Last {
            int a = 1;

            @Override
            protected void finalize() {
                a = 0;
            }
        }

        Object round(int i) {
            return new Last();
        }
    }
}
