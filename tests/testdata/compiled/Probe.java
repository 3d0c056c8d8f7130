import java.lang.management.ManagementFactory;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Something that is done very often, each kind in a thread of its own, so that compilers replace what they can. What a
 * round makes is said by {@link Makes}, by construction. A program's nested classes that extend this are its probes.
 */
abstract class Probe {
    static Object sink;

    /** Does it once, for the ith time. */
    abstract Object round(int i) throws Throwable;

    /** Rounds in the thread. */
    static final int rounds = Integer.getInteger("rounds", 100_000);

    /** Leaves out what is known not to be counted. */
    static final boolean exact = Boolean.getBoolean("exact");

    void rounds(int from, int to) throws Throwable {
        for (int i = from; i < to; i++) {
            sink = round(i);
        }
    }

    /** Runs all probes of a program, or those that are named, and prints what each has allocated, in bytes. */
    static void runAll(Class<?> program, String[] args) throws Throwable {
        Class<?>[] probes = program.getDeclaredClasses();
        Arrays.sort(probes, Comparator.comparing(Class::getName));
        for (Class<?> kind : probes) {
            String name = kind.getSimpleName();
            if (!Probe.class.isAssignableFrom(kind) || Modifier.isAbstract(kind.getModifiers()) ||
                exact && kind.getAnnotation(Makes.class).value().contains("(uncounted)") ||
                args.length > 0 && !Arrays.asList(args).contains(name)) {
                continue;
            }
            Probe probe = (Probe) kind.getDeclaredConstructor().newInstance();
            probe.rounds(0, 200); // what is made only once is made by this thread
            Runner runner = new Runner(name, probe);
            runner.start();
            runner.join();
            System.out.println(name + " " + rounds + " " + runner.bytes + " " +
                kind.getAnnotation(Makes.class).value());
        }
    }

    /** Goes the rounds, and asks the JVM what that has allocated. */
    static class Runner extends Thread {
        static final com.sun.management.ThreadMXBean BEAN =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        final Probe probe;
        long bytes;

        Runner(String name, Probe probe) {
            super("probe " + name);
            this.probe = probe;
            BEAN.getThreadAllocatedBytes(Thread.currentThread().getId());
        }

        @Override
        public void run() {
            long before = BEAN.getThreadAllocatedBytes(getId());
            try {
                probe.rounds(200, 200 + rounds);
            } catch (Throwable e) {
                System.out.println(getName() + " failed: " + e);
            }
            bytes = BEAN.getThreadAllocatedBytes(getId()) - before;
        }
    }
}
