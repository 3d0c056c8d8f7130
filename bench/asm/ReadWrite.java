import java.io.DataOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * How long ASM takes to read each class of java.base and write it again, frames kept. A floor for tools built on ASM:
 * it decodes and encodes everything and changes nothing. Writes the classes to a file, so that others can be measured
 * on the same ones: for each, length (4 bytes, big endian) and bytes.
 *
 * <pre>java ReadWrite CLASSES-FILE ROUNDS</pre>
 *
 * Prints {@code name round median p99 total}, times in nanoseconds, for each round: the first is cold, the last warm.
 * {@code write} builds a constant pool anew, {@code copy} lets ASM take over the old pool and all methods untouched,
 * which no tool that inserts code can do.
 */
public final class ReadWrite {
    private static int sink;

    public static void main(String[] args) throws IOException {
        List<byte[]> classes = classes();
        try (DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(Path.of(args[0]))))) {
            for (byte[] bytes : classes) {
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
        int rounds = Integer.parseInt(args[1]);
        for (int round = 0; round < rounds; round++) {
            report("write", round, classes, false);
        }
        for (int round = 0; round < rounds; round++) {
            report("copy", round, classes, true);
        }
        System.err.println(sink);
    }

    private static List<byte[]> classes() throws IOException {
        List<byte[]> classes = new ArrayList<>();
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : (Iterable<Path>) files
                    .filter(path -> path.toString().endsWith(".class")).sorted()::iterator) {
                classes.add(Files.readAllBytes(file));
            }
        }
        return classes;
    }

    private static void report(String name, int round, List<byte[]> classes, boolean copy) {
        long[] nanos = new long[classes.size()];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            sink += copy ? copy(classes.get(i)) : write(classes.get(i));
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        int n = nanos.length;
        System.out.println(name + " " + round + " " + nanos[(n + 1) / 2 - 1] + " " + nanos[(99 * n + 99) / 100 - 1] +
                " " + Arrays.stream(nanos).sum());
    }

    private static int write(byte[] bytes) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(writer, 0);
        return writer.toByteArray().length;
    }

    private static int copy(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(writer, 0);
        return writer.toByteArray().length;
    }
}
