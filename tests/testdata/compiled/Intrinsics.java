import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Calls in whose place C1 and C2 have code of their own that makes objects, and code that they expand where objects are
 * made or calls removed (vmIntrinsics.hpp, library_call.cpp, macro.cpp, callnode.cpp).
 */
class Intrinsics {
    public static void main(String[] args) throws Throwable {
        Probe.runAll(Intrinsics.class, args);
        Probe.runAll(Classes.class, args);
        Probe.runAll(Expansions.class, args);
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

    /** Since JDK 22 partition makes the pair of bounds itself, where the processor can (AVX2, AVX-512). */
    @Makes("int[] 0..40")
    static class Sort extends Probe {
        final int[] from = new java.util.Random(1).ints(400).toArray();
        final int[] to = new int[from.length];

        Object round(int i) {
            System.arraycopy(from, 0, to, 0, from.length);
            Arrays.sort(to);
            return to;
        }
    }

    @Makes("int[] 0..40")
    static class SortDoubles extends Probe {
        final double[] from = new java.util.Random(1).doubles(400).toArray();
        final double[] to = new double[from.length];

        Object round(int i) {
            System.arraycopy(from, 0, to, 0, from.length);
            Arrays.sort(to);
            return to;
        }
    }

    /** The body makes the exception, or, in JDK 25, C2 takes the same one again and again. */
    @Makes("java.lang.ArithmeticException 0..1, java.lang.Object[] 0..2, int[] 0..1, long[] 0..1, short[] 0..1")
    static class Overflow extends Probe {
        Object round(int i) {
            try {
                return Math.addExact(i, Integer.MAX_VALUE) == 0 ? this : sink;
            } catch (ArithmeticException e) {
                return e;
            }
        }
    }

    /** Since JDK 21 a clone. */
    @Makes("long[] 1, byte[] 1")
    static class CopyOfAll extends Probe {
        final long[] from = new long[10];
        final byte[] bytes = new byte[20];

        Object round(int i) {
            sink = Arrays.copyOf(from, 10);
            return Arrays.copyOfRange(bytes, 0, 20);
        }
    }

    /** The array is made, and then something does not fit into it: where C2 has replaced the call it is not counted. */
    @Makes("(uncounted) 0..24, java.lang.String[] 0..1, java.lang.ArrayStoreException 1, java.lang.String 0..4,"
        + " byte[] 0..8, java.lang.Object[] 0..2, int[] 0..1, long[] 0..1, short[] 0..1, char[] 0..1")
    static class CopyThrows extends Probe {
        final Object[] from = {"a", 1};

        Object round(int i) {
            try {
                return Arrays.copyOf(from, 2, String[].class);
            } catch (ArrayStoreException e) {
                return e;
            }
        }
    }

    @Makes("Intrinsics$CloneFinalised$Sheep 1, java.lang.ref.Finalizer 1")
    static class CloneFinalised extends Probe {
        static class Sheep implements Cloneable {
            int a = 1;

            Object again() throws CloneNotSupportedException {
                return clone();
            }

            @Override
            protected void finalize() {
                a = 0;
            }
        }

        final Sheep sheep = new Sheep();

        Object round(int i) throws Throwable {
            return sheep.again();
        }
    }

    /** Numbers as texts: C2 takes Integer.toString for one more number of a chain. */
    @Makes("java.lang.String 1..3, byte[] 1..5, java.lang.StringBuilder 0..1")
    static class NumberInChain extends Probe {
        Object round(int i) {
            return new StringBuilder().append(Integer.toString(i)).append(' ').append(Integer.toString(-i)).toString();
        }
    }

    /** montgomeryMultiply and montgomerySquare are given their arrays. */
    @Makes("java.math.BigInteger 1..20, java.math.MutableBigInteger 1..20, int[] 1..200, int[][] 1")
    static class ModPow extends Probe {
        final BigInteger a = new BigInteger("123456789012345678901234567890123456789");
        final BigInteger n = BigInteger.ONE.shiftLeft(600).subtract(BigInteger.valueOf(1245));

        Object round(int i) {
            return a.modPow(BigInteger.valueOf(1001 + (i & 63)), n);
        }
    }

    /** Digests make an array for words unless code of a compiler's own does without. */
    abstract static class Digest extends Probe {
        final MessageDigest digest;
        final byte[] text = new byte[300];
        final byte[] result = new byte[64];

        Digest(String name) {
            try {
                digest = MessageDigest.getInstance(name);
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }

        Object round(int i) throws Throwable {
            MessageDigest mine = (MessageDigest) digest.clone();
            mine.update(text);
            mine.digest(result, 0, result.length);
            return mine;
        }
    }

    static final String DIGEST = "java.security.MessageDigest$Delegate$CloneableDelegate 0..1,"
        + " java.security.MessageDigest$Delegate 0..1, byte[] 1..5, int[] 0..4, long[] 0..4, java.lang.Object[] 0..4,";

    @Makes(DIGEST + "sun.security.provider.MD5 1")
    static class Md5 extends Digest {
        Md5() {
            super("MD5");
        }
    }

    @Makes(DIGEST + "sun.security.provider.SHA 1")
    static class Sha extends Digest {
        Sha() {
            super("SHA-1");
        }
    }

    @Makes(DIGEST + "sun.security.provider.SHA2$SHA256 1")
    static class Sha256 extends Digest {
        Sha256() {
            super("SHA-256");
        }
    }

    @Makes(DIGEST + "sun.security.provider.SHA5$SHA512 1")
    static class Sha512 extends Digest {
        Sha512() {
            super("SHA-512");
        }
    }

    @Makes(DIGEST + "sun.security.provider.SHA3$SHA256 1")
    static class Sha3 extends Digest {
        Sha3() {
            super("SHA3-256");
        }
    }

    /** Ciphers that are handed the array to write to. */
    abstract static class Encrypted extends Probe {
        final Cipher cipher;
        final byte[] text = new byte[160];
        final byte[] result = new byte[200];

        Encrypted(String name) {
            try {
                cipher = Cipher.getInstance(name);
                cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"));
                for (int i = 0; i < 30_000; i++) { // the JVM makes some 6 kB once when this is compiled
                    round(i);
                }
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        Object round(int i) throws GeneralSecurityException {
            cipher.update(text, 0, text.length, result);
            return result;
        }
    }

    @Makes("byte[] 0..2")
    static class Blocks extends Encrypted {
        Blocks() {
            super("AES/ECB/NoPadding");
        }
    }

    @Makes("byte[] 0..2")
    static class Chained extends Encrypted {
        Chained() {
            super("AES/CBC/NoPadding");
        }
    }

    @Makes("byte[] 0..2")
    static class Counted extends Encrypted {
        Counted() {
            super("AES/CTR/NoPadding");
        }
    }

    @Makes("byte[] 2")
    static class Coded extends Probe {
        final byte[] text = new byte[300];

        Object round(int i) {
            return Base64.getDecoder().decode(Base64.getEncoder().encode(text));
        }
    }
}
