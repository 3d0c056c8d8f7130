import java.io.BufferedReader;
import java.io.FileReader;

/**
 * Links every class that a file lists, without initialising it, and prints those that the verifier refuses. Each line
 * of the file is "module class", the class in binary form; the module "-" is the class path.
 *
 * Asking for the declared methods is what links: HotSpot verifies a class before it answers.
 */
class LinkAll {
    public static void main(String[] args) throws Exception {
        int linked = 0;
        try (BufferedReader list = new BufferedReader(new FileReader(args[0]))) {
            for (String line; (line = list.readLine()) != null; ) {
                String[] words = line.split(" ");
                try {
                    load(words[0], words[1]).getDeclaredMethods();
                    linked++;
                } catch (LinkageError | SecurityException | ClassNotFoundException e) {
                    System.out.println("refused " + words[1] + ": " + e);
                }
            }
        }
        System.out.println("linked " + linked);
    }

    private static Class<?> load(String module, String name) throws Exception {
        Class<?> found;
        if (module.equals("-")) {
            found = Class.forName(name, false, LinkAll.class.getClassLoader());
        } else {
            found = Class.forName(ModuleLayer.boot().findModule(module).orElseThrow(), name);
        }
        if (found == null) {
            throw new ClassNotFoundException(module + "/" + name);
        }
        return found;
    }
}
