import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** The Eclipse compiler over the sources that javac gets. */
public final class Ecj extends Workload {
    private static final int FILES = 30;

    private Path classes;
    private String[] command;

    @Override
    protected void prepare() throws Exception {
        classes = Files.createDirectory(folder().resolve("classes"));
        List<String> words = new ArrayList<>(List.of("-17", "-nowarn", "-proc:none", "-g", "-d", classes.toString()));
        for (Path source : GenerateSources.write(folder().resolve("sources"), FILES)) {
            words.add(source.toString());
        }
        command = words.toArray(new String[0]);
    }

    @Override
    protected long iterate() throws Exception {
        StringWriter messages = new StringWriter();
        if (!BatchCompiler.compile(command, new PrintWriter(messages), new PrintWriter(messages), null)) {
            throw new IllegalStateException("the generated sources do not compile: " + messages);
        }
        long sum = 0;
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                sum = 31 * sum + crc(Files.readAllBytes(file));
            }
        }
        return sum & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Ecj().run(args);
    }
}
