import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Defines each class of a file by a loader of its own, links it, looks at it by reflection, runs it, and prints a line
 * for each step: number, step, what came of it. Arguments: the file, and the first class of it to take. A class stands
 * in the file as a byte that says whether it is run, the name of the class to run, its length and its bytes. A class
 * that runs for ever ends the JVM, with exit code 3.
 */
public class Malformed {
    static final long CPU_LIMIT = 2_000_000_000L, ELAPSED_LIMIT = 60_000_000_000L;
    static final Map<String, byte[]> originals = new HashMap<>();
    static PrintStream out;

    static class Loader extends ClassLoader {
        Loader() {
            super("malformed", Malformed.class.getClassLoader());
        }

        Class<?> define(byte[] b) {
            return defineClass(null, b, 0, b.length);
        }

        /** The classes that belong to the changed one are of its package, which is the loader's. */
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Seed") && !name.startsWith("NewerSeed")) {
                return super.loadClass(name, resolve);
            }
            Class<?> c = findLoadedClass(name);
            if (c != null) {
                return c;
            }
            byte[] b = originals.computeIfAbsent(name, Malformed::read);
            if (b == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, b, 0, b.length);
        }
    }

    static byte[] read(String name) {
        try (InputStream in = Malformed.class.getResourceAsStream(name + ".class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }

    interface Step {
        Object take() throws Throwable;
    }

    static void step(int number, String name, Step step) {
        String outcome;
        try {
            outcome = String.valueOf(step.take());
        } catch (Throwable t) {
            outcome = "";
            for (int depth = 0; t != null && depth < 4; depth++, t = t.getCause()) {
                outcome += t.getClass().getName() + ": " + t.getMessage() + " | ";
            }
        }
        StringBuilder line = new StringBuilder().append(number).append('\t').append(name).append('\t');
        for (int i = 0; i < outcome.length(); i++) {
            char c = outcome.charAt(i);
            if (c < ' ' || c > '~') {
                line.append("\\u").append(Integer.toHexString(c));
            } else {
                line.append(c);
            }
        }
        out.print(line.append('\n'));
        out.flush();
    }

    /** Annotations as text, their elements in order: the JDK has them in the order of a hash map. */
    static String sorted(Object annotations) {
        String[] parts = String.valueOf(annotations).split("(?=[(,@ ])");
        Arrays.sort(parts);
        return String.join("", parts);
    }

    static String about(Class<?> c) {
        StringBuilder s = new StringBuilder(c.toGenericString()).append(sorted(Arrays.toString(c.getAnnotations())))
            .append(c.getGenericSuperclass()).append(Arrays.toString(c.getGenericInterfaces()))
            .append(sorted(Arrays.toString(c.getAnnotatedInterfaces()))).append(c.getEnclosingMethod())
            .append(c.getNestHost()).append(Arrays.toString(c.getNestMembers()))
            .append(Arrays.toString(c.getPermittedSubclasses())).append(Arrays.toString(c.getDeclaredClasses()))
            .append(c.getSimpleName());
        Field[] fields = c.getDeclaredFields();
        Arrays.sort(fields, Comparator.comparing(Field::toString));
        for (Field f : fields) {
            s.append(f.toGenericString()).append(sorted(Arrays.toString(f.getAnnotations())))
                .append(sorted(f.getAnnotatedType()));
        }
        Method[] methods = c.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::toString));
        for (Method m : methods) {
            s.append(m.toGenericString()).append(sorted(Arrays.toString(m.getAnnotations())))
                .append(sorted(m.getDefaultValue()))
                .append(sorted(Arrays.deepToString(m.getParameterAnnotations())))
                .append(Arrays.toString(m.getParameters()))
                .append(sorted(m.getAnnotatedReturnType()))
                .append(sorted(Arrays.toString(m.getAnnotatedParameterTypes())));
        }
        for (Constructor<?> m : c.getDeclaredConstructors()) {
            s.append(m.toGenericString()).append(sorted(Arrays.deepToString(m.getParameterAnnotations())));
        }
        if (c.isRecord()) {
            for (RecordComponent r : c.getRecordComponents()) {
                s.append(r).append(r.getGenericType()).append(sorted(Arrays.toString(r.getAnnotations())))
                    .append(sorted(r.getAnnotatedType()));
            }
        }
        return s.toString();
    }

    static void take(int number, boolean run, String main, byte[] bytes) {
        Loader loader = new Loader();
        Class<?>[] defined = {null};
        step(number, "define", () -> defined[0] = loader.define(bytes));
        Class<?> c = defined[0];
        if (c == null) {
            return;
        }
        step(number, "link", () -> Class.forName(c.getName(), true, loader));
        step(number, "reflect", () -> about(c));
        if (run) {
            step(number, "run", () -> Class.forName(main, true, loader).getMethod("run").invoke(null));
        }
    }

    public static void main(String[] args) throws Exception {
        out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        int first = Integer.parseInt(args[1]);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(args[0])))) {
            for (int number = 0; ; number++) {
                boolean run;
                try {
                    run = in.readBoolean();
                } catch (EOFException e) {
                    break;
                }
                String main = in.readUTF();
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                if (number < first) {
                    continue;
                }
                int n = number;
                Thread thread = new Thread(() -> take(n, run, main, bytes));
                thread.setDaemon(true);
                long start = System.nanoTime();
                thread.start();
                while (thread.isAlive()) {
                    thread.join(100);
                    if (threads.getThreadCpuTime(thread.getId()) > CPU_LIMIT
                            || System.nanoTime() - start > ELAPSED_LIMIT) {
                        out.print(number + "\thangs\t\n");
                        out.flush();
                        System.exit(3);
                    }
                }
            }
        }
    }
}
