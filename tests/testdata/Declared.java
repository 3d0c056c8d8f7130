import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Prints what reflection tells of the JDK's classes: fields, methods and constructors. */
public class Declared {
    public static void main(String[] args) throws Exception {
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base");
        for (String folder : new String[] {"java/lang", "java/lang/invoke", "java/util", "jdk/internal/vm"}) {
            List<String> names = new ArrayList<>();
            try (Stream<Path> files = Files.list(base.resolve(folder))) {
                files.forEach(file -> names.add(base.relativize(file).toString()));
            }
            Collections.sort(names);
            for (String name : names) {
                if (name.endsWith(".class") && !name.endsWith("-info.class")) {
                    print(Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, null));
                }
            }
        }
    }

    static void print(Class<?> c) {
        List<String> members = new ArrayList<>();
        for (Object[] declared : new Object[][] {c.getDeclaredFields(), c.getDeclaredMethods(), c.getDeclaredConstructors()}) {
            Arrays.asList(declared).forEach(member -> members.add(member.toString()));
        }
        Collections.sort(members);
        members.forEach(System.out::println);
    }
}
