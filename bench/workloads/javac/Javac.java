import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The JDK's own compiler over generated sources; class files stay in memory. */
public final class Javac extends Workload {
    private static final int FILES = 30;

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private List<Path> sources;

    @Override
    protected void prepare() throws Exception {
        sources = GenerateSources.write(folder(), FILES);
    }

    @Override
    protected long iterate() throws Exception {
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Memory memory = new Memory(files);
            List<String> options = List.of("-proc:none", "-nowarn", "--release", "17");
            Collection<JavaFileObject> units = new ArrayList<>();
            files.getJavaFileObjectsFromPaths(sources).forEach(units::add);
            if (!compiler.getTask(null, memory, null, options, null, units).call()) {
                throw new IllegalStateException("the generated sources do not compile");
            }
            return memory.checksum();
        }
    }

    /** Keeps what the compiler writes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new TreeMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return written.computeIfAbsent(name, unused -> new ByteArrayOutputStream());
                }
            };
        }

        long checksum() {
            long sum = 0;
            for (ByteArrayOutputStream bytes : written.values()) {
                sum = 31 * sum + crc(bytes.toByteArray());
            }
            return sum & 0xffffffffL;
        }
    }

    public static void main(String[] args) throws Exception {
        new Javac().run(args);
    }
}
