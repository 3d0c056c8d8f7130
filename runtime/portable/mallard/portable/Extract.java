package mallard.portable;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes the classes of packages of java.base to standard output, as a jar: {@code mallard instrument --jdk} runs it.
 * It does not go into any jar.
 */
public final class Extract {
    private Extract() {}

    public static void main(String[] packages) throws IOException {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
        try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(System.out))) {
            for (String name : packages) {
                Path folder = base.resolve(name.replace('.', '/'));
                if (!Files.isDirectory(folder)) {
                    System.err.println("java.base has no package " + name);
                    System.exit(1);
                }
                try (DirectoryStream<Path> classes = Files.newDirectoryStream(folder, "*.class")) {
                    for (Path file : classes) {
                        out.putNextEntry(new ZipEntry(base.relativize(file).toString()));
                        Files.copy(file, out);
                        out.closeEntry();
                    }
                }
            }
        }
    }
}
