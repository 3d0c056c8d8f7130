import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;

import mallard.Context;

/**
 * Thousands of loaders, one after another, each with a class that has as many methods, allocations and calls as no other
 * has, runs in two threads and is unloaded again. With a third argument each step is in a transaction of the main thread's.
 */
public class Shapes {
    static final class OwnLoader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static volatile Object sink;
    static volatile IntUnaryOperator operator;
    static volatile int sum;

    /** All that the classes call. */
    public static void leaf() {
        sink = new Object();
    }

    /** Says the same as tests/contexts/unloaded_shapes_test.go. */
    static int below(int bound, int k, int j) {
        int h = k * 0x9E3779B1 + j * 0x85EBCA6B;
        h ^= h >>> 15;
        h *= 0x2C1B3C6D;
        h ^= h >>> 12;
        return (h >>> 1) % bound;
    }

    static void utf8(DataOutputStream out, String s) throws IOException {
        out.writeByte(1);
        out.writeUTF(s);
    }

    static void pair(DataOutputStream out, int tag, int first, int second) throws IOException {
        out.writeByte(tag);
        out.writeShort(first);
        out.writeShort(second);
    }

    static void type(DataOutputStream out, int name) throws IOException {
        out.writeByte(7);
        out.writeShort(name);
    }

    static void method(DataOutputStream out, int flags, int name, int descriptor, byte[] code) throws IOException {
        out.writeShort(flags);
        out.writeShort(name);
        out.writeShort(descriptor);
        out.writeShort(1);
        out.writeShort(5);
        out.writeInt(12 + code.length);
        out.writeShort(2); // stack
        out.writeShort(2); // local variables
        out.writeInt(code.length);
        out.write(code);
        out.writeInt(0);
    }

    /** A class of a version whose methods need no stack maps. */
    static byte[] bytes(int k) throws IOException {
        int methods = 3 + k % 5;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(49);
        out.writeShort(21 + 3 * methods);
        utf8(out, "G" + k);
        type(out, 1);
        utf8(out, "java/lang/Object");
        type(out, 3);
        utf8(out, "Code");
        utf8(out, "()I");
        utf8(out, "Shapes");
        type(out, 7);
        utf8(out, "leaf");
        utf8(out, "()V");
        pair(out, 12, 9, 10);
        pair(out, 10, 8, 11);
        utf8(out, "java/util/function/IntUnaryOperator");
        type(out, 13);
        utf8(out, "<init>");
        pair(out, 12, 15, 10);
        pair(out, 10, 4, 16);
        utf8(out, "applyAsInt");
        utf8(out, "(I)I");
        utf8(out, "SourceFile"); // nobody's
        for (int i = 0; i < methods; i++) {
            utf8(out, "m" + i);
            pair(out, 12, 21 + 3 * i, 6);
            pair(out, 10, 2, 22 + 3 * i);
        }
        out.writeShort(0x21);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(1);
        out.writeShort(14);
        out.writeShort(0);
        out.writeShort(2 + methods);
        method(out, 1, 15, 10, new byte[] {42, (byte) 183, 0, 17, (byte) 177});
        method(out, 1, 18, 19, new byte[] {(byte) 184, 0, 23, (byte) 172});
        for (int i = 0; i < methods; i++) {
            ByteArrayOutputStream code = new ByteArrayOutputStream();
            for (int n = below(12, k, 2 * i); n >= 0; n--) {
                code.write(new byte[] {4, (byte) 188, 10, 87}); // new int[1]
            }
            for (int n = below(10, k, 2 * i + 1); n > 0; n--) {
                code.write(new byte[] {(byte) 184, 0, 12});
            }
            if (i + 1 < methods) {
                code.write(new byte[] {(byte) 184, 0, (byte) (23 + 3 * (i + 1))});
            } else {
                code.write(3);
            }
            code.write(172);
            method(out, 9, 21 + 3 * i, 6, code.toByteArray());
        }
        out.writeShort(0);
        return bytes.toByteArray();
    }

    /** A transaction where --transaction-at says so. */
    static void use(int i) {
        sum += operator.applyAsInt(i);
    }

    /** Lets another thread use the operator, too. */
    static final class Other extends Thread {
        volatile CountDownLatch go = new CountDownLatch(1), done = new CountDownLatch(1);

        Other() {
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                go = new CountDownLatch(1);
                use(1);
                operator = null;
                done.countDown();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Other other = new Other();
        other.start();
        int loaders = Integer.parseInt(args[0]), steps = Integer.parseInt(args[1]), k = 0;
        boolean transacts = args.length > 2;
        for (int step = 1; step <= steps; step++) {
            if (transacts) {
                Context.enter("step");
            }
            for (int i = 0; i < loaders; i++) {
                operator = (IntUnaryOperator) new OwnLoader().define(bytes(k++)).getConstructor().newInstance();
                use(i);
                CountDownLatch done = other.done;
                other.go.countDown();
                done.await();
                other.done = new CountDownLatch(1);
            }
            if (transacts) {
                Context.exit("step");
            }
            System.gc();
            System.out.println("step " + step);
            System.in.read();
        }
        System.out.println("sum " + sum);
    }
}
