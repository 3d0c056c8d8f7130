import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jdk.internal.misc.Unsafe;

/**
 * Calls methods of the runtime classes as its input says, a line each, and prints what they give. The classes are those
 * that the agent defines, in another package and with another Thread, which has Mallard's fields.
 *
 * <pre>
 * world IMAGE FACT=VALUE...   memory with a file's bytes, and classes of their own for it, with these facts
 * set CLASS.FIELD VALUE       a static field
 * long OFFSET VALUE           8 bytes of memory
 * int OFFSET VALUE            4 bytes of memory
 * CLASS.METHOD ARGUMENT...    prints the result; "asks" where it is to be had from the agent
 * Agent.find ARGUMENT...      the same of the agent; "asks" where the recorder has to be asked
 * Agent.place ARGUMENT...     the same by the whole stack
 * Agent.callee ARGUMENT...    the same of a slot, whose entry is in place of the hash
 * dump FILE                   writes the memory
 * </pre>
 *
 * Numbers are decimal; with an @ in front they are offsets in memory, and addresses in Java.
 */
public final class Cases {
    private static final Unsafe U = Unsafe.getUnsafe();

    private final long base;
    private final int bytes;
    private final Map<Integer, Long> facts = new HashMap<>();
    private final ClassLoader loader;
    private final Map<String, Method> methods = new HashMap<>();

    private Cases(Path runtime, String[] words) throws IOException {
        byte[] image = Files.readAllBytes(Path.of(words[1]));
        bytes = image.length;
        base = U.allocateMemory(bytes + 64) + 63 & -64L;
        for (int i = 0; i < bytes; i++) {
            U.putByte(base + i, image[i]);
        }
        for (int i = 2; i < words.length; i++) {
            String[] fact = words[i].split("=");
            facts.put(Integer.parseInt(fact[0]), number(fact[1]));
        }
        loader = new ClassLoader(Cases.class.getClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
                try {
                    byte[] b = ours(Files.readAllBytes(runtime.resolve(file)));
                    return defineClass(name, b, 0, b.length);
                } catch (IOException missing) {
                    throw new ClassNotFoundException(name, missing);
                }
            }
        };
    }

    /** A class file with the facts, and in the other package, whose name is as long. */
    private byte[] ours(byte[] file) {
        replace(file, "java/lang/$Mallard", "mallardca/$Mallard");
        replace(file, "java/lang/Thread", "mallardca/Thread");
        ByteBuffer b = ByteBuffer.wrap(file);
        for (int i = 0; i + 9 <= file.length; i++) {
            final byte constantLong = 5;
            if (file[i] == constantLong && b.getInt(i + 1) == 0x6d616c6c) {
                b.putLong(i + 1, facts.getOrDefault(b.getInt(i + 5), 0L));
            }
        }
        return file;
    }

    private static void replace(byte[] file, String from, String to) {
        byte[] f = from.getBytes(StandardCharsets.ISO_8859_1);
        byte[] t = to.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i + f.length <= file.length; i++) {
            if (Arrays.equals(file, i, i + f.length, f, 0, f.length)) {
                System.arraycopy(t, 0, file, i, t.length);
            }
        }
    }

    private long number(String word) {
        return word.startsWith("@") ? base + Long.parseLong(word.substring(1)) : Long.parseLong(word);
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("mallardca." + name, true, loader);
    }

    private void set(String name, String value) throws ReflectiveOperationException {
        int dot = name.indexOf('.');
        Field field = type(name.substring(0, dot)).getDeclaredField(name.substring(dot + 1));
        field.setAccessible(true);
        field.set(null, field.getType() == Unsafe.class ? U
                : field.getType() == boolean.class ? (Object) value.equals("1") : (Object) number(value));
    }

    private static native long find(long nodes, long block, long methods, long calls, long first, long frames,
            long early, long hash, int called, int method, int count, int how);

    private String find(String[] words) {
        long[] n = new long[words.length];
        for (int i = 1; i < words.length; i++) {
            n[i] = number(words[i]);
        }
        long node = find(n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], (int) n[9], (int) n[10], (int) n[11],
                List.of("Agent.find", "Agent.place", "Agent.callee").indexOf(words[0]));
        return node == 0 ? "asks" : String.valueOf(node);
    }

    private String call(String[] words) throws ReflectiveOperationException {
        Method method = methods.get(words[0] + words.length);
        if (method == null) {
            int dot = words[0].indexOf('.');
            for (Method m : type(words[0].substring(0, dot)).getDeclaredMethods()) {
                if (m.getName().equals(words[0].substring(dot + 1)) && m.getParameterCount() == words.length - 1) {
                    method = m;
                }
            }
            method.setAccessible(true);
            methods.put(words[0] + words.length, method);
        }
        Object[] arguments = new Object[words.length - 1];
        for (int i = 0; i < arguments.length; i++) {
            long v = number(words[i + 1]);
            arguments[i] = method.getParameterTypes()[i] == int.class ? (Object) (int) v : (Object) v;
        }
        try {
            return String.valueOf(method.invoke(null, arguments));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof UnsatisfiedLinkError) {
                return "asks";
            }
            throw e;
        }
    }

    private void dump(Path file) throws IOException {
        byte[] image = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            image[i] = U.getByte(base + i);
        }
        Files.write(file, image);
    }

    /** The folder of the runtime classes, the input, the part of the agent that is run. */
    public static void main(String[] args) throws Exception {
        System.load(args[2]);
        BufferedReader in = Files.newBufferedReader(Path.of(args[1]));
        StringBuilder out = new StringBuilder();
        Cases cases = null;
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "world":
                    cases = new Cases(Path.of(args[0]), words);
                    break;
                case "set":
                    cases.set(words[1], words[2]);
                    break;
                case "long":
                    U.putLong(cases.base + Long.parseLong(words[1]), cases.number(words[2]));
                    break;
                case "int":
                    U.putInt(cases.base + Long.parseLong(words[1]), (int) cases.number(words[2]));
                    break;
                case "dump":
                    cases.dump(Path.of(words[1]));
                    break;
                case "Agent.find":
                case "Agent.place":
                case "Agent.callee":
                    out.append(cases.find(words)).append('\n');
                    break;
                default:
                    out.append(cases.call(words)).append('\n');
            }
        }
        System.out.print(out);
    }
}
