import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Links every class that a file lists, without initialising it, and prints which ones the JVM refuses. Lines of the file are:
 *
 * <pre>
 *   library JAR            classes that others may refer to, the first jar that has one wins
 *   module MODULE CLASS    link a class of a module
 *   jar JAR...             the next classes are those of a loader of their own over these jars
 *   class NAME CLASS       link a class of that loader; the name is for the output
 * </pre>
 *
 * Asking for the declared fields is what links: HotSpot verifies a class before it answers.
 */
class LinkAll {
    public static void main(String[] args) throws Exception {
        Jars libraries = new Jars(ClassLoader.getPlatformClassLoader());
        Jars loader = null;
        try (BufferedReader list = new BufferedReader(new FileReader(args[0]))) {
            for (String line; (line = list.readLine()) != null; ) {
                String[] words = line.split(" ");
                String name = words[words.length - 1];
                try {
                    switch (words[0]) {
                        case "library":
                            libraries.add(name);
                            continue;
                        case "jar":
                            if (loader != null) {
                                loader.close();
                            }
                            loader = new Jars(libraries);
                            for (int i = 1; i < words.length; i++) {
                                loader.add(words[i]);
                            }
                            continue;
                        case "class":
                            loader.loadClass(name).getDeclaredFields();
                            break;
                        default:
                            ofModule(words[1], name).getDeclaredFields();
                    }
                    System.out.println("linked " + words[1] + " " + name);
                } catch (LinkageError e) {
                    System.out.println("refused " + words[1] + " " + name + " " + e.toString().replace('\n', '|'));
                }
            }
        }
    }

    private static Class<?> ofModule(String module, String name) throws ClassNotFoundException {
        Class<?> found = Class.forName(ModuleLayer.boot().findModule(module).orElseThrow(), name);
        if (found == null) {
            throw new ClassNotFoundException(module + "/" + name);
        }
        return found;
    }

    /** Loads from its jars before it asks its parent, and ignores signatures. */
    private static final class Jars extends ClassLoader {
        private final List<ZipFile> jars = new ArrayList<>();

        Jars(ClassLoader parent) {
            super(parent);
        }

        void add(String jar) throws IOException {
            jars.add(new ZipFile(new File(jar)));
        }

        void close() throws IOException {
            for (ZipFile jar : jars) {
                jar.close();
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> found = findLoadedClass(name);
            if (found == null) {
                byte[] b = name.startsWith("java.") ? null : bytes(name.replace('.', '/') + ".class");
                found = b == null ? super.loadClass(name, false) : defineClass(name, b, 0, b.length);
            }
            return found;
        }

        private byte[] bytes(String path) throws ClassNotFoundException {
            try {
                for (ZipFile jar : jars) {
                    ZipEntry entry = jar.getEntry(path);
                    if (entry != null) {
                        try (InputStream in = jar.getInputStream(entry)) {
                            return in.readAllBytes();
                        }
                    }
                }
                return null;
            } catch (IOException e) {
                throw new ClassNotFoundException(path, e);
            }
        }
    }
}
