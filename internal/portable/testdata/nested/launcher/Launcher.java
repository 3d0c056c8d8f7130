import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;

/** Runs what is in a jar as Spring Boot has it: classes in BOOT-INF/classes, and libraries that have to be stored, in BOOT-INF/lib. */
public class Launcher extends ClassLoader {
    private final Map<String, byte[]> classes = new HashMap<>();

    Launcher(JarFile jar) throws IOException {
        super(Launcher.class.getClassLoader());
        for (JarEntry e : jar.stream().toArray(JarEntry[]::new)) {
            try (InputStream in = jar.getInputStream(e)) {
                byte[] contents = in.readAllBytes();
                if (e.getName().startsWith("BOOT-INF/classes/")) {
                    classes.put(e.getName().substring("BOOT-INF/classes/".length()), contents);
                } else if (e.getName().startsWith("BOOT-INF/lib/")) {
                    if (e.getMethod() != JarEntry.STORED) {
                        throw new IOException(e.getName() + " is compressed");
                    }
                    JarInputStream library = new JarInputStream(new ByteArrayInputStream(contents));
                    for (JarEntry inner = library.getNextJarEntry(); inner != null; inner = library.getNextJarEntry()) {
                        classes.put(inner.getName(), library.readAllBytes());
                    }
                }
            }
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] b = classes.get(name.replace('.', '/') + ".class");
        if (b == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, b, 0, b.length);
    }

    public static void main(String[] args) throws Exception {
        try (JarFile jar = new JarFile(args[0])) {
            new Launcher(jar).loadClass("app.Main").getMethod("main", String[].class).invoke(null, (Object) args);
        }
    }
}
