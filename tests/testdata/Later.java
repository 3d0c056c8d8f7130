import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs another program once it may: "Later FOLDER MAIN ARGUMENT...". It has all classes of the class path's folders
 * loaded, makes FOLDER/ready, and waits for FOLDER/go. When the program has ended, so does it when FOLDER/end is there.
 */
class Later {
    private static void await(Path file) throws Exception {
        while (!Files.exists(file)) {
            Thread.sleep(5);
        }
    }

    private static void load(Path folder) throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(f -> f.toString().endsWith(".class")).collect(Collectors.toList());
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace(File.separatorChar, '.');
            try {
                Class.forName(name.substring(0, name.length() - ".class".length()), false, Later.class.getClassLoader());
            } catch (LinkageError | ClassNotFoundException e) {
                // the program has it so
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        Path folder = Path.of(args[0]);
        for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Files.isDirectory(Path.of(part))) {
                load(Path.of(part));
            }
        }
        Files.createFile(folder.resolve("ready"));
        await(folder.resolve("go"));
        var main = Class.forName(args[1]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) List.of(args).subList(2, args.length).toArray(String[]::new));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        Files.createFile(folder.resolve("done"));
        await(folder.resolve("end"));
    }
}
