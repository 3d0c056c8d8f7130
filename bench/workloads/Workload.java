import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * What all workloads have in common: warm-up iterations, then timed ones, in one JVM. Each iteration does the same work
 * on the same input, which comes from a fixed seed, and returns a checksum; all must be equal. Prints
 *
 * <pre>
 * iteration 612 ms
 * iteration 598 ms
 * timed 1700000004120 1700000005330
 * memory 412344 kB
 * checksum 1f0c93aa
 * </pre>
 *
 * where "timed" is when the timed iterations began and ended, in ms since 1970, and "memory" is the most that was
 * resident.
 *
 * With {@code -Dworkload.turns=true} it says first which process it is, waits for a line of input before each iteration
 * and before it ends, and says "turn" after each iteration.
 *
 * Arguments: WARMUP TIMED, the numbers of iterations, and optionally PARTS: into how many parts an iteration's work is
 * divided, of which it does one.
 */
public abstract class Workload {
    private Path folder;
    private int parts = 1;

    /** Does the work once. */
    protected abstract long iterate() throws Exception;

    /** Makes the input; not timed. */
    protected void prepare() throws Exception {}

    /** Runs the iterations that the arguments ask for and ends the JVM, whatever threads a library has left. */
    protected final void run(String[] args) throws Exception {
        int warmup = Integer.parseInt(args[0]);
        int timed = Integer.parseInt(args[1]);
        if (args.length > 2) {
            parts = Integer.parseInt(args[2]);
        }
        boolean turns = Boolean.getBoolean("workload.turns");
        if (turns) {
            System.out.println("process " + ProcessHandle.current().pid());
        }
        prepare();
        long checksum = 0;
        long began = System.currentTimeMillis();
        for (int i = 0; i < warmup + timed; i++) {
            if (turns) {
                await();
            }
            if (i == warmup) {
                began = System.currentTimeMillis();
            }
            long start = System.nanoTime();
            long result = iterate();
            long millis = (System.nanoTime() - start) / 1_000_000;
            if (i > 0 && result != checksum) {
                throw new IllegalStateException("iteration " + i + " has another checksum than those before it");
            }
            checksum = result;
            if (i >= warmup) {
                System.out.println("iteration " + millis + " ms");
            }
            if (turns) {
                System.out.println("turn");
            }
        }
        if (turns) {
            await();
        }
        System.out.println("timed " + began + " " + System.currentTimeMillis());
        System.out.println("memory " + mostResident() + " kB");
        System.out.printf("checksum %08x%n", checksum);
        System.out.flush();
        removeFolder();
        System.exit(0);
    }

    private static void await() throws IOException {
        int c;
        do {
            c = System.in.read();
        } while (c != '\n' && c >= 0);
    }

    /** How much to do of an amount of work: all, unless the arguments say otherwise. */
    protected final int part(int amount) {
        return amount / parts;
    }

    /** A folder for files, which is removed at the end. */
    protected final Path folder() throws IOException {
        if (folder == null) {
            folder = Files.createTempDirectory("mallard-workload-");
        }
        return folder;
    }

    private void removeFolder() throws IOException {
        if (folder == null) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(folder)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
        }
        for (Path file : deepestFirst) {
            Files.delete(file);
        }
    }

    /** What the kernel says in its line {@code VmHWM:    412344 kB}. */
    private static String mostResident() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return line.replaceAll("[^0-9]", "");
            }
        }
        throw new IOException("the kernel does not say how much memory was used");
    }

    /** A checksum of bytes. */
    protected static long crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    private static final String[] SYLLABLES = {"ba", "dor", "en", "fil", "ga", "hu", "ki", "lam", "mer", "no", "pra",
            "ri", "sto", "ul", "ve", "zan"};

    /**
     * The word with a number: few syllables for small numbers, so that squaring a uniform random number makes some
     * words frequent.
     */
    protected static String word(int number) {
        StringBuilder word = new StringBuilder();
        do {
            word.append(SYLLABLES[number % SYLLABLES.length]);
            number /= SYLLABLES.length;
        } while (number > 0);
        return word.toString();
    }
}
