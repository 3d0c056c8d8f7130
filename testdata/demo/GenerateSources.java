import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes a few hundred Java files for a compiler to work on: valid Java 17, the same for the same arguments, varied
 * enough that all of a compiler is used (generics and inference, lambdas, records, sealed types, switches, inner
 * classes, exceptions).
 *
 * <pre>java GenerateSources.java FOLDER FILES</pre>
 *
 * A file is one class; classes refer to the ones before them, ten to a package.
 */
public final class GenerateSources {
    private static final int CLASSES_PER_PACKAGE = 10;
    private static final String[] NOUNS = {
        "Order", "Parcel", "Signal", "Ledger", "Garden", "Vessel", "Matrix", "Letter", "Engine", "Harbor", "Ticket", "Window",
    };
    private static final String[] ROLES = {"Store", "Reader", "Index", "Planner", "Filter", "Report", "Queue", "Parser"};
    private static final String[] FIELDS = {"weight", "total", "label", "level", "offset", "origin", "state", "price", "rank", "depth"};

    private final Random random;
    private final int number;
    private final String name;
    private final List<String> earlier;
    private final StringBuilder out = new StringBuilder();

    private GenerateSources(int number, List<String> earlier) {
        this.random = new Random(number);
        this.number = number;
        this.name = pick(NOUNS) + pick(ROLES) + number;
        this.earlier = earlier;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: java GenerateSources.java FOLDER FILES");
            System.exit(2);
        }
        List<Path> files = write(Path.of(args[0]), Integer.parseInt(args[1]));
        System.out.println(files.size() + " files in " + args[0]);
    }

    /** Writes the files below a folder and returns them in order. */
    public static List<Path> write(Path folder, int files) throws IOException {
        List<String> classes = new ArrayList<>();
        List<Path> paths = new ArrayList<>();
        for (int number = 0; number < files; number++) {
            GenerateSources source = new GenerateSources(number, classes);
            String text = source.generate();
            Path path = folder.resolve(source.packageName().replace('.', '/')).resolve(source.name + ".java");
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
            paths.add(path);
            classes.add(source.packageName() + "." + source.name);
        }
        return paths;
    }

    private String packageName() {
        return "demo.part" + number / CLASSES_PER_PACKAGE;
    }

    private String pick(String[] words) {
        return words[random.nextInt(words.length)];
    }

    private void line(String format, Object... args) {
        out.append(String.format(format, args)).append('\n');
    }

    private String generate() {
        line("package %s;\n", packageName());
        for (String type : List.of("ArrayList", "Comparator", "HashMap", "Iterator", "LinkedHashMap", "List", "Map", "Objects", "Optional")) {
            line("import java.util.%s;", type);
        }
        line("import java.util.function.Function;\nimport java.util.function.Supplier;\nimport java.util.stream.Collectors;\n");
        line("/** %s number %d. */", name, number);
        line("public class %s<T extends Comparable<T>> implements Iterable<T> {", name);
        fieldsAndConstructor();
        recordAndEnum();
        sealedShapes();
        for (int i = 0, methods = 3 + random.nextInt(6); i < methods; i++) {
            switch (random.nextInt(7)) {
                case 0 -> streamMethod(i);
                case 1 -> switchMethod(i);
                case 2 -> textMethod(i);
                case 3 -> arrayMethod(i);
                case 4 -> exceptionMethod(i);
                case 5 -> genericMethod(i);
                default -> innerClassMethod(i);
            }
        }
        if (!earlier.isEmpty()) {
            collaborate();
        }
        line("}");
        return out.toString();
    }

    private void fieldsAndConstructor() {
        line("    private final List<T> items = new ArrayList<>();");
        line("    private final Map<String, List<T>> groups = new LinkedHashMap<>();");
        line("    private static int instances;");
        for (int i = 0; i < 2 + random.nextInt(4); i++) {
            line("    protected %s %s%d = %s;", i % 2 == 0 ? "int" : "long", pick(FIELDS), i, random.nextInt(1000));
        }
        line("\n    public %s(Iterable<? extends T> source) {", name);
        line("        for (T item : source) {\n            add(item);\n        }\n        instances++;\n    }\n");
        line("    public %s() {\n        this(List.of());\n    }\n", name);
        line("    public void add(T item) {\n        items.add(Objects.requireNonNull(item, \"item \" + items.size()));");
        line("        groups.computeIfAbsent(String.valueOf(item.hashCode() %% %d), key -> new ArrayList<>()).add(item);\n    }\n", 3 + random.nextInt(9));
        line("    @Override\n    public Iterator<T> iterator() {\n        return items.iterator();\n    }\n");
        line("    public Optional<T> largest() {\n        return items.stream().max(Comparator.naturalOrder());\n    }\n");
    }

    private void recordAndEnum() {
        String first = pick(FIELDS);
        line("    public record Entry<K, V>(K key, V value, int %s) {", first);
        line("        public Entry {\n            if (%s < 0) {\n                throw new IllegalArgumentException(\"%s: \" + %s);\n            }\n        }\n", first, first, first);
        line("        <R> Entry<K, R> map(Function<? super V, ? extends R> f) {\n            return new Entry<>(key, f.apply(value), %s + 1);\n        }\n    }\n", first);
        line("    public enum Mode {");
        int modes = 2 + random.nextInt(4);
        for (int i = 0; i < modes; i++) {
            line("        MODE_%d(%d) {\n            @Override\n            int apply(int n) {\n                return n * %d + factor;\n            }\n        }%s", i, random.nextInt(90), i + 1, i == modes - 1 ? ";" : ",");
        }
        line("\n        final int factor;\n\n        Mode(int factor) {\n            this.factor = factor;\n        }\n\n        abstract int apply(int n);\n    }\n");
    }

    private void sealedShapes() {
        line("    sealed interface Step permits Move, Wait, Turn {}\n\n    record Move(int dx, int dy) implements Step {}\n");
        line("    record Wait(long millis) implements Step {}\n\n    record Turn(double angle, Step next) implements Step {}\n");
        line("    static double cost(Step step) {");
        line("        if (step instanceof Move move) {\n            return Math.hypot(move.dx(), move.dy());");
        line("        } else if (step instanceof Turn turn && turn.next() != null) {\n            return turn.angle() / %d + cost(turn.next());\n        }", 2 + random.nextInt(7));
        line("        return step instanceof Wait wait ? wait.millis() : 0;\n    }\n");
    }

    private void streamMethod(int i) {
        line("    public Map<Integer, List<String>> summary%d(int limit) {", i);
        line("        return items.stream()\n                .filter(item -> item.compareTo(items.get(0)) >= 0)\n                .map(item -> \"<\" + item + \">\")");
        line("                .limit(limit)\n                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()))");
        line("                .collect(Collectors.groupingBy(text -> text.length() %% %d, HashMap::new, Collectors.toList()));\n    }\n", 2 + random.nextInt(5));
    }

    private void switchMethod(int i) {
        line("    public int decide%d(String word, Mode mode) {\n        int result = switch (word) {", i);
        for (int c = 0; c < 3 + random.nextInt(6); c++) {
            line("            case \"%s%d\", \"%s\" -> %d;", pick(FIELDS), c, "w" + c, random.nextInt(500));
        }
        line("            default -> {\n                int sum = 0;\n                for (char c : word.toCharArray()) {\n                    sum = %d * sum + c;\n                }\n                yield sum;\n            }\n        };", 7 + random.nextInt(30));
        line("        switch (result %% 5) {\n            case 0:\n                result++;\n            case 1:\n            case 2:\n                result = mode.apply(result);\n                break;\n            default:\n                return -result;\n        }\n        return result;\n    }\n");
    }

    private void textMethod(int i) {
        line("    public String describe%d(int depth) {\n        StringBuilder text = new StringBuilder(\"%s\");", i, name);
        line("        for (Map.Entry<String, List<T>> group : groups.entrySet()) {\n            text.append(' ').append(group.getKey()).append('=').append(group.getValue().size());");
        line("            if (text.length() > %d) {\n                break;\n            }\n        }", 50 + random.nextInt(200));
        line("        String suffix = depth > 0 ? \" of \" + instances + \", depth \" + depth + ':' + (depth * 0.5) : \"\";");
        line("        return depth %% 2 == 0 ? text + suffix : describe%d(depth - 1) + suffix;\n    }\n", i);
    }

    private void arrayMethod(int i) {
        int n = 2 + random.nextInt(6);
        line("    public long[][] table%d(int rows) {\n        long[][] table = new long[rows][%d];\n        int[] weights = {%d, %d, %d};", i, n, random.nextInt(9), random.nextInt(9), random.nextInt(9));
        line("        for (int row = 0; row < rows; row++) {\n            for (int column = 0; column < %d; column++) {", n);
        line("                long above = row == 0 ? 1L : table[row - 1][column];\n                table[row][column] = above * weights[column %% 3] ^ (row << column);");
        line("                if (table[row][column] == %d) {\n                    continue;\n                }\n                table[row][column] %%= 10_007;\n            }\n        }\n        return table;\n    }\n", random.nextInt(50));
    }

    private void exceptionMethod(int i) {
        line("    public int parse%d(String text, int fallback) {\n        synchronized (items) {\n            try {", i);
        line("                int value = Integer.parseInt(text.trim());\n                return value > %d ? value : Math.floorMod(value, %d);", random.nextInt(100), 2 + random.nextInt(50));
        line("            } catch (NumberFormatException | NullPointerException wrong) {\n                groups.remove(String.valueOf(wrong.getMessage()));\n                return fallback;");
        line("            } finally {\n                instances += %d;\n            }\n        }\n    }\n", random.nextInt(3));
    }

    private void genericMethod(int i) {
        line("    public <K extends Comparable<? super K>, R> List<Entry<K, R>> index%d(Function<? super T, ? extends K> key, Supplier<R> value) {", i);
        line("        List<Entry<K, R>> entries = new ArrayList<>(items.size());\n        for (T item : items) {");
        line("            Entry<K, Integer> entry = new Entry<>(key.apply(item), %d, entries.size());\n            entries.add(entry.map(ignored -> value.get()));\n        }", random.nextInt(100));
        line("        entries.sort(Comparator.comparing(Entry::key));\n        return entries;\n    }\n");
    }

    private void innerClassMethod(int i) {
        line("    public Supplier<Integer> counter%d(int start) {\n        class Counter implements Supplier<Integer> {\n            private int next = start;\n", i);
        line("            @Override\n            public Integer get() {\n                return next += items.size() + %d;\n            }\n        }", random.nextInt(10));
        line("        Runnable reset = new Runnable() {\n            @Override\n            public void run() {\n                groups.clear();\n            }\n        };");
        line("        reset.run();\n        return new Counter();\n    }\n");
    }

    /** Uses some of the classes before this one, with their full names. */
    private void collaborate() {
        line("    public static String collaborate(int n) {\n        StringBuilder text = new StringBuilder();");
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            String other = earlier.get(random.nextInt(earlier.size()));
            String element = i % 2 == 0 ? "String" : "Integer";
            String value = i % 2 == 0 ? "\"" + pick(FIELDS) + "\" + n" : "n + " + i;
            line("        var other%d = new %s<%s>(List.of(%s, %s));", i, other, element, value, value);
            line("        other%d.largest().map(best -> best + \";\").ifPresent(text::append);", i);
        }
        line("        return text.toString();\n    }");
    }
}
