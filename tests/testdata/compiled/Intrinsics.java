import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Calls in whose place C1 and C2 have code of their own that makes objects, and code that they expand where objects are
 * made or calls removed (vmIntrinsics.hpp, library_call.cpp, macro.cpp, callnode.cpp).
 */
class Intrinsics {
    public static void main(String[] args) throws Throwable {
        Probe.runAll(Intrinsics.class, args);
        Probe.runAll(Classes.class, args);
    }

    /** implMultiplyToLen makes the array of the product itself, up to JDK 22 or so. */
    @Makes("java.math.BigInteger 1, int[] 1")
    static class Multiply extends Probe {
        final BigInteger a = BigInteger.ONE.shiftLeft(40 * 32).subtract(BigInteger.TWO);

        Object round(int i) {
            return a.multiply(B);
        }

        static final BigInteger B = BigInteger.ONE.shiftLeft(50 * 32).subtract(BigInteger.TEN);
    }

    @Makes("java.math.BigInteger 1, int[] 1..3")
    static class Square extends Probe {
        final BigInteger a = BigInteger.ONE.shiftLeft(30 * 32).subtract(BigInteger.TWO);

        Object round(int i) {
            return a.multiply(a);
        }
    }

    /** StringUTF16.toBytes. */
    @Makes("java.lang.String 1, byte[] 1..2")
    static class WideCharacters extends Probe {
        final char[] chars = "\u0394\u0395 wide".toCharArray();

        Object round(int i) {
            return new String(chars);
        }
    }

    @Makes("java.lang.String 1, byte[] 1")
    static class Characters extends Probe {
        final char[] chars = "narrow".toCharArray();

        Object round(int i) {
            return new String(chars);
        }
    }

    @Makes("char[] 1")
    static class ToCharArray extends Probe {
        final String text = "some \u0394 text".toUpperCase();

        Object round(int i) {
            return text.toCharArray();
        }
    }

    @Makes("byte[] 1..2")
    static class GetBytes extends Probe {
        final String text = "some text".toUpperCase();

        Object round(int i) {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @Makes("java.lang.Integer 1")
    static class Boxed extends Probe {
        Object round(int i) {
            return i + 1000;
        }
    }

    /** EliminateAutoBox takes these away where the value is all that is used: nothing is made. */
    @Makes("java.lang.Long 1?, java.lang.Integer 1")
    static class BoxedForNothing extends Probe {
        Object round(int i) {
            Long boxed = (long) i + 1000;
            return (int) (boxed.longValue() + 5);
        }
    }

    @Makes("java.lang.String[] 1")
    static class CopyOf extends Probe {
        final String[] from = {"a", "b", "c"};

        Object round(int i) {
            return Arrays.copyOf(from, 4);
        }
    }

    @Makes("java.lang.Object[] 1")
    static class CopyOfRange extends Probe {
        final Object[] from = {"a", "b", "c", "d"};

        Object round(int i) {
            return Arrays.copyOfRange(from, 1, 3);
        }
    }

    @Makes("long[] 1")
    static class CopyOfLongs extends Probe {
        final long[] from = new long[10];

        Object round(int i) {
            return Arrays.copyOf(from, 12);
        }
    }

    @Makes("int[] 1")
    static class CloneArray extends Probe {
        final int[] from = new int[7];

        Object round(int i) {
            return from.clone();
        }
    }

    @Makes("Intrinsics$CloneObject$Sheep 1")
    static class CloneObject extends Probe {
        static class Sheep implements Cloneable {
            int a = 1, b = 2;
            Object c;

            Object again() throws CloneNotSupportedException {
                return clone();
            }
        }

        final Sheep sheep = new Sheep();

        Object round(int i) throws Throwable {
            return sheep.again();
        }
    }

    @Makes("short[] 1")
    static class NewArray extends Probe {
        Object round(int i) {
            return Array.newInstance(short.class, 9);
        }
    }

    @Makes("short[][] 1, short[] 3")
    static class NewArrays extends Probe {
        Object round(int i) {
            return new short[3][5];
        }
    }

    @Makes("java.lang.Object[] 2, int[] 0..1, byte[] 1")
    static class Varargs extends Probe {
        Object round(int i) {
            return all("a", all("b"), new byte[i & 7]);
        }

        static Object[] all(Object... of) {
            return of;
        }
    }

    /** Rematerialised whenever the branch that was never taken is taken after all. */
    @Makes("Intrinsics$Deoptimised$Pair 1?, java.lang.Integer 0..1")
    static class Deoptimised extends Probe {
        static class Pair {
            int a, b;

            Pair(int a, int b) {
                this.a = a;
                this.b = b;
            }
        }

        Object round(int i) {
            Pair pair = new Pair(i, i + 1);
            if (i % 100_000 == 99_999) {
                return pair;
            }
            return pair.a + pair.b == 7 ? pair : this;
        }
    }

    /** Made::new through a method handle, and what a VarHandle reads. */
    @Makes("Intrinsics$Handle$Made 1")
    static class Handle extends Probe {
        static class Made {
            int value;

            Made() {}
        }

        static final MethodHandle NEW;
        static final VarHandle VALUE;

        static {
            try {
                NEW = MethodHandles.lookup().findConstructor(Made.class, MethodType.methodType(void.class));
                VALUE = MethodHandles.lookup().findVarHandle(Made.class, "value", int.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        Object round(int i) throws Throwable {
            Made made = (Made) NEW.invokeExact();
            VALUE.setVolatile(made, i);
            return made;
        }
    }

    @Makes("java.lang.ArrayIndexOutOfBoundsException 0..1, java.lang.String 0..1, byte[] 0..2, java.lang.Object[] 0..2,"
        + " int[] 0..1, long[] 0..1, short[] 0..1, java.lang.StringBuilder 0..1")
    static class FastThrow extends Probe {
        final int[] none = new int[0];

        Object round(int i) {
            try {
                return none[i] == 0 ? this : none;
            } catch (ArrayIndexOutOfBoundsException e) {
                return e;
            }
        }
    }

    record Point(int x, long y) {}

    @Makes("Intrinsics$Point 1")
    static class Record extends Probe {
        Object round(int i) {
            Point p = new Point(i, i + 1);
            return p.equals(sink) ? this : p;
        }
    }

    @Makes("java.lang.String 1, byte[] 1")
    static class Substring extends Probe {
        final String text = "a longer text to cut a piece of".toUpperCase();

        Object round(int i) {
            return text.substring(3, 9);
        }
    }

    @Makes("java.lang.String 1, byte[] 1")
    static class Repeat extends Probe {
        Object round(int i) {
            return "ab".repeat(5);
        }
    }
}
