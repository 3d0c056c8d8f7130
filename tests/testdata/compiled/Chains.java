/**
 * Strings that are put together by builders: C2 replaces such a chain of calls, from new to toString, by code that
 * makes a String and its array, and neither a builder nor a buffer (OptimizeStringConcat). Compiled with
 * -XDstringConcat=inline.
 */
class Chains {
    static final String FIRST = String.valueOf("first".toCharArray()), WIDE = String.valueOf("w\u0394de".toCharArray());

    public static void main(String[] args) throws Throwable {
        Probe.runAll(Chains.class, args);
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Plain extends Probe {
        Object round(int i) {
            return FIRST + i;
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1, int[] 1")
    static class ThenAnother extends Probe {
        Object round(int i) {
            String s = FIRST + i;
            return new int[s.length()];
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1, int[] 1")
    static class BeforeAnother extends Probe {
        int[] last;

        Object round(int i) {
            last = new int[3];
            return FIRST + i;
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Choice extends Probe {
        Object round(int i) {
            return FIRST + (i % 2 == 0 ? "a" : "b") + i;
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Branch extends Probe {
        Object round(int i) {
            return i % 3 == 0 ? FIRST + i : FIRST + "-" + i;
        }
    }

    @Makes("java.lang.StringBuffer 0..1, byte[] 1..2, java.lang.String 1")
    static class Buffer extends Probe {
        Object round(int i) {
            return new StringBuffer().append(FIRST).append(i).toString();
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 0..2, java.lang.String 0..1")
    static class Dropped extends Probe {
        Object round(int i) {
            new StringBuilder().append(FIRST).append(i).toString();
            return this;
        }
    }

    @Makes("java.lang.StringBuilder 0..3, byte[] 3..9, java.lang.String 3")
    static class Loop extends Probe {
        Object round(int i) {
            String s = FIRST;
            for (int n = 0; n < 3; n++) {
                s += n;
            }
            return s;
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class AsObject extends Probe {
        Object round(int i) {
            Object builder = new StringBuilder().append(FIRST).append(i);
            return builder.toString();
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class AsSequence extends Probe {
        Object round(int i) {
            CharSequence builder = new StringBuilder().append(FIRST).append(i);
            return builder.toString();
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class ValueOf extends Probe {
        Object round(int i) {
            return String.valueOf(new StringBuilder().append(FIRST).append(i));
        }
    }

    @Makes("java.lang.StringBuilder 0..2, byte[] 2..4, java.lang.String 2")
    static class Nested extends Probe {
        Object round(int i) {
            String inner = FIRST + i;
            return "(" + inner + ")";
        }
    }

    @Makes("java.lang.StringBuilder 0..2, byte[] 2..6, java.lang.String 2")
    static class NestedInLine extends Probe {
        Object round(int i) {
            return "(" + new StringBuilder().append(FIRST).append(i).toString() + ")" + i;
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class Local extends Probe {
        Object round(int i) {
            StringBuilder b = new StringBuilder();
            b.append(FIRST);
            b.append(i);
            return b.toString();
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Reassigned extends Probe {
        Object round(int i) {
            StringBuilder b = new StringBuilder().append(FIRST);
            b = b.append(i);
            return b.append("x").toString();
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 0..2, java.lang.String 0..1")
    static class Left extends Probe {
        Object round(int i) {
            StringBuilder b = new StringBuilder(FIRST);
            if (i % 4 == 0) {
                return this;
            }
            return b.append(i).toString();
        }
    }

    @Makes("java.lang.StringBuilder 0..3, byte[] 3..9, java.lang.String 3")
    static class LocalInLoop extends Probe {
        Object round(int i) {
            String s = FIRST;
            for (int n = 0; n < 3; n++) {
                StringBuilder b = new StringBuilder(s);
                s = b.append(n).toString();
            }
            return s;
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 0..2, java.lang.String 0..1, java.lang.IllegalStateException 0..1")
    static class LocalThrows extends Probe {
        Object round(int i) {
            try {
                StringBuilder b = new StringBuilder().append(FIRST);
                return b.append(Throws.odd(i)).toString();
            } catch (IllegalStateException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class Passed extends Probe {
        Object round(int i) {
            return end(new StringBuilder().append(FIRST).append(i));
        }

        static String end(StringBuilder b) {
            return b.toString();
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class PassedAsObject extends Probe {
        Object round(int i) {
            return end(new StringBuilder().append(FIRST).append(i));
        }

        static String end(Object b) {
            return b.toString();
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class Returned extends Probe {
        Object round(int i) {
            return begin().append(i).toString();
        }

        static StringBuilder begin() {
            return new StringBuilder(FIRST);
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..2, java.lang.String 1")
    static class ReturnedAsObject extends Probe {
        Object round(int i) {
            return begin(i).toString();
        }

        static Object begin(int i) {
            return new StringBuilder(FIRST).append(i);
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Sized extends Probe {
        Object round(int i) {
            return new StringBuilder(40).append(FIRST).append('c').append(i).toString();
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..4, java.lang.String 1")
    static class Wide extends Probe {
        Object round(int i) {
            return WIDE + i;
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Null extends Probe {
        final String none = null;

        Object round(int i) {
            return sink == this ? none : none + i;
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 1..3, java.lang.String 1")
    static class LongNumber extends Probe {
        Object round(int i) {
            return FIRST + (long) i;
        }
    }

    @Makes("java.lang.StringBuilder 1, byte[] 2..3, java.lang.String 2")
    static class Twice extends Probe {
        String first;

        Object round(int i) {
            StringBuilder b = new StringBuilder().append(FIRST).append(i);
            first = b.toString();
            return b.toString();
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Locked extends Probe {
        synchronized Object round(int i) {
            return FIRST + i;
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 0..2, java.lang.String 0..1, java.lang.IllegalStateException 0..1")
    static class Throws extends Probe {
        static final IllegalStateException THROWN = new IllegalStateException();

        static int odd(int i) {
            if (i % 2 == 0) {
                throw THROWN;
            }
            return i;
        }

        Object round(int i) {
            try {
                return FIRST + odd(i);
            } catch (IllegalStateException e) {
                return e;
            }
        }
    }

    @Makes("java.lang.StringBuilder 0..1, byte[] 1..2, java.lang.String 1")
    static class Length extends Probe {
        Object round(int i) {
            return sink(FIRST + i);
        }

        Object sink(String s) {
            return s.length() > 40 ? this : s;
        }
    }
}
