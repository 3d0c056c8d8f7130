package mallard.portable;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Writes the recording when the JVM ends: as a shutdown hook, that is, after main and all threads but daemons have
 * ended, after an uncaught exception, or when somebody calls System.exit or sends a signal. A JVM that is halted leaves
 * none.
 *
 * <p>What counters mean, and everything else that is known before, {@code mallard instrument} has put into the resource
 * {@code definitions}: blocks of a recording behind the first record. The resource {@code facts} says in lines of text
 * what it takes to add the rest.
 */
final class Recording implements Runnable {
    private static final String DEFINITIONS = "/mallard/portable/definitions";
    private static final String FACTS = "/mallard/portable/facts";

    private static final int FILE_HEADER = 144;

    // Kinds of records.
    private static final int PROCESS = 1;
    private static final int CLASS_SIZE = 4;
    private static final int THREAD = 7;
    private static final int SNAPSHOT = 8;
    private static final int MARK = 10;
    static final int LOSS = 12;
    private static final int END = 13;

    private final long millis = System.currentTimeMillis();
    private final long nanos = System.nanoTime();
    final Block block = new Block(); // so that the class is there
    long[] counts; // of all threads
    private final Contexts contexts = Tree.METHODS == 0 ? null : new Contexts(this);
    private OutputStream out;
    private long at; // position of the next record in a block
    private final Map<String, String[]> classes = new HashMap<String, String[]>();
    private Threads.Owner[] threads;

    /** The loader of all classes but the JDK's, whichever it is. */
    static final int LOADER = 1;

    /** Has the recording written at the end. Where that is not allowed, or the end has begun, there is none. */
    static void start() {
        try {
            Recording recording = new Recording();
            Thread thread;
            try { // without the values of inheritable thread locals: to copy them may call the program's methods
                thread = Thread.class.getConstructor(ThreadGroup.class, Runnable.class, String.class, long.class,
                        boolean.class)
                    .newInstance(null, recording, "mallard", 0L, false);
            } catch (NoSuchMethodException e) {
                thread = new Thread(recording, "mallard");
            }
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (Throwable e) {
            return;
        }
    }

    @Override
    public void run() {
        String pattern = System.getProperty("mallard.file", "mallard-%p.mallard");
        try {
            write(pattern);
        } catch (Throwable e) {
            say("the recording " + pattern + " could not be written: " + e);
        }
    }

    private static void say(String line) {
        System.err.println("mallard: " + line);
    }

    private void write(String pattern) throws IOException {
        threads = Threads.all();
        counts = new long[Counters.ALL];
        long end = System.nanoTime() - nanos;
        BufferedReader facts = new BufferedReader(new InputStreamReader(resource(FACTS), "ISO-8859-1"));
        String version = facts.readLine();
        String placement = facts.readLine();
        String track = facts.readLine();
        long records = Long.parseLong(facts.readLine());
        long classes = Long.parseLong(facts.readLine());
        long sites = Long.parseLong(facts.readLine());
        InputStream definitions = resource(DEFINITIONS);
        byte[] buffer = new byte[1 << 13];
        out = new BufferedOutputStream(open(pattern));
        try {
            copy(definitions, out, buffer, FILE_HEADER);
            process(version, placement, track);
            block.writeTo(out, 0);
            copy(definitions, out, buffer, Long.MAX_VALUE);
            at = 1 + records;
            String line = facts.readLine();
            for (; line != null && line.startsWith("method\t"); line = facts.readLine()) {
                contexts.method(line.split("\t"));
            }
            HashMap<Integer, String[]> calls = new HashMap<Integer, String[]>();
            for (; line != null && line.startsWith("call\t"); line = facts.readLine()) {
                String[] call = line.split("\t");
                calls.put(Integer.parseInt(call[1]), call);
            }
            Made.define(this, calls, classes, sites);
            if (contexts != null) {
                contexts.addAsked();
            }
            int number = 0;
            for (Threads.Owner thread : threads) {
                if (add(thread, number, end)) {
                    number++;
                }
                next();
            }
            for (; line != null; line = facts.readLine()) {
                fact(line.split("\t"));
                next();
            }
            if (contexts != null) {
                contexts.end(block);
            }
            if (Counters.lost != 0) {
                block.record(LOSS).string("counts").unsigned(Counters.lost)
                    .string("increments that there was no memory or no stack for, at least so many");
            }
            block.record(MARK).signed(end).unsigned(0).flag(contexts != null).unsigned(0);
            block.record(END).signed(end).flag(true).string("the program ended");
            block.writeTo(out, at);
        } finally {
            out.close();
        }
    }

    /** Writes what there is if it is enough for a block. */
    void next() throws IOException {
        if (block.isFull()) {
            at = block.writeTo(out, at);
        }
    }

    private static InputStream resource(String name) throws IOException {
        InputStream in = Recording.class.getResourceAsStream(name);
        if (in == null) {
            throw new IOException("the resource " + name + " is out of reach");
        }
        return in;
    }

    /** Copies as many bytes as there are, up to a number. */
    private static void copy(InputStream in, OutputStream out, byte[] buffer, long most) throws IOException {
        for (int n; most > 0 && (n = in.read(buffer, 0, (int) Math.min(buffer.length, most))) > 0; most -= n) {
            out.write(buffer, 0, n);
        }
    }

    /** Creates the file. One that is there already stays, and the recording gets another name, which is said. */
    private OutputStream open(String pattern) throws IOException {
        String name = pattern.replace("%%", "\0").replace("%p", String.valueOf(pid())).replace("%t",
                started()).replace('\0', '%');
        Path there = Paths.get(name);
        if (Files.exists(there) && !Files.isRegularFile(there)) {
            return Files.newOutputStream(there, StandardOpenOption.WRITE); // a device or a pipe
        }
        Set<OpenOption> options = new HashSet<OpenOption>();
        Collections.addAll(options, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        for (int attempt = 0; ; attempt++) {
            Path path = Paths.get(attempt == 0 ? name : other(name, attempt));
            try {
                try {
                    return said(path, attempt, Channels.newOutputStream(
                        Files.newByteChannel(path, options,
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))));
                } catch (UnsupportedOperationException e) { // no POSIX
                    return said(path, attempt, Channels.newOutputStream(Files.newByteChannel(path, options)));
                }
            } catch (FileAlreadyExistsException e) {
                if (attempt == 1000) {
                    throw e;
                }
            }
        }
    }

    private static OutputStream said(Path path, int attempt, OutputStream out) {
        if (attempt > 0) {
            say("wrote " + path + ": the file that the recording was to be is there already");
        }
        return out;
    }

    /** NAME-PID.EXTENSION, then NAME-PID-2.EXTENSION and so on. */
    private static String other(String name, int attempt) {
        int slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf(File.separatorChar));
        int dot = name.lastIndexOf('.');
        dot = dot > slash + 1 ? dot : name.length();
        return name.substring(0, dot) + "-" + pid() + (attempt == 1 ? "" : "-" + attempt) + name.substring(dot);
    }

    private String started() {
        return new java.text.SimpleDateFormat("yyyyMMdd-HHmmss").format(new java.util.Date(millis));
    }

    /** The number of this process, 0 unknown. */
    private static long pid() {
        try {
            Class<?> handle = Class.forName("java.lang.ProcessHandle"); // since Java 9
            return (Long) handle.getMethod("pid").invoke(handle.getMethod("current").invoke(null));
        } catch (Throwable e) {
            try {
                return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
            } catch (Exception unknown) {
                return 0;
            }
        }
    }

    private void process(String version, String placement, String track) throws IOException {
        block.record(PROCESS).string(version).signed(pid())
                .string(property("java.vm.version")).string(property("java.vm.name")).string("");
        String[] command;
        try {
            command = Sizes.command();
        } catch (Throwable e) {
            command = new String[] {"java", property("sun.java.command")};
        }
        block.unsigned(command.length);
        for (String word : command) {
            block.string(word);
        }
        String arch = property("os.arch");
        block.signed(millis * 1000000).unsigned(1).string(track).string(placement).string(arch.equals("aarch64")
                ? "arm64" : arch);
        block.unsigned(Sizes.BASE).unsigned(Sizes.BASE).unsigned(Sizes.BASE).unsigned(Sizes.BASE8);
        block.unsigned(Sizes.REFERENCE).unsigned(Sizes.ALIGNMENT);
    }

    private static String property(String name) {
        return System.getProperty(name, "");
    }

    /** Adds a thread and its counters, unless they are all zero. */
    private boolean add(Threads.Owner thread, int number, long end) throws IOException {
        int n = 0;
        for (int i = 0; i < Counters.ALL; i++) {
            n += value(thread, i) != 0 ? 1 : 0;
        }
        boolean hasContexts = contexts != null && thread.tree.root.next() != null;
        if (n == 0 && !hasContexts) {
            return false;
        }
        int[] counters = new int[n];
        long[] values = new long[n];
        n = 0;
        for (int i = 0; i < Counters.ALL && n < values.length; i++) {
            long value = value(thread, i);
            if (value != 0) {
                counters[n] = i;
                values[n++] = value;
                counts[i] += value;
            }
        }
        block.record(THREAD).unsigned(number).string(thread.name).flag(thread.isVirtual).signed(thread.id).flag(false);
        block.record(SNAPSHOT).signed(end).unsigned(number).flag(true).unsigned(n);
        for (int i = 0, before = 0; i < n; before = counters[i++]) {
            block.signed(counters[i] - before);
        }
        for (int i = 0; i < n; i++) {
            block.signed(values[i]);
        }
        if (hasContexts) {
            next();
            contexts.add(thread.tree, number, end);
        }
        return true;
    }

    private static long value(Threads.Owner thread, int counter) {
        long[] chunk = thread.counters[counter / Counters.CHUNK];
        return chunk == null ? 0 : chunk[counter % Counters.CHUNK];
    }

    /**
     * Takes a line of the facts: the class NAME has the superclass SUPER and fields of the types FIELDS; or objects of
     * the class NAME are counted by some counters, and then its size is recorded.
     */
    private void fact(String[] line) throws IOException {
        if (line[0].equals("class")) {
            classes.put(line[1], line);
            return;
        }
        for (int i = 2; i < line.length; i++) {
            if (counts[Integer.parseInt(line[i])] != 0) {
                size(line[1]);
                return;
            }
        }
    }

    private void size(String name) throws IOException {
        try {
            Class<?> type = classes.containsKey(name) ? null : find(name);
            long size = type == null ? layout(name).size() : Sizes.Layout.of(type).size();
            boolean boot = type != null && type.getClassLoader() == null;
            block.record(CLASS_SIZE).unsigned(boot ? 0 : LOADER).raw(name).unsigned(size);
        } catch (Exception e) {
            return; // the report says that the size is missing
        } catch (LinkageError e) {
            return;
        }
    }

    private Sizes.Layout layout(String name) throws Exception {
        String[] line = classes.get(name);
        if (line != null) {
            return layout(line[2]).with(line.length > 3 ? line[3] : "");
        }
        return Sizes.Layout.of(find(name));
    }

    private static Class<?> find(String name) throws Exception {
        String readable = new String(name.getBytes("ISO-8859-1"), "UTF-8").replace('/', '.');
        ClassLoader loader = Recording.class.getClassLoader();
        return Class.forName(readable, false, loader != null ? loader : ClassLoader.getSystemClassLoader());
    }
}
