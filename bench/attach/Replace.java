import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An agent that has the JVM replace each class by itself, a few hundred at a time, and again later: what attaching and
 * detaching ask of the JVM, with nothing changed. Classes in which threads stay are left alone.
 *
 * The argument is how many milliseconds are in between.
 */
public final class Replace {
    private static final int BATCH = 256;
    private static final int LOOKS = 5;

    private Replace() {}

    public static void agentmain(String pause, Instrumentation jvm) throws InterruptedException {
        replaceAll(jvm);
        Thread.sleep(Long.parseLong(pause));
        replaceAll(jvm);
    }

    private static void replaceAll(Instrumentation jvm) throws InterruptedException {
        Set<String> left = running();
        for (int i = 1; i < LOOKS; i++) {
            Thread.sleep(100);
            left.retainAll(running());
        }
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> c : jvm.getAllLoadedClasses()) {
            if (jvm.isModifiableClass(c) && !left.contains(c.getName())) {
                classes.add(c);
            }
        }
        for (int i = 0; i < classes.size(); i += BATCH) {
            List<Class<?>> batch = classes.subList(i, Math.min(i + BATCH, classes.size()));
            try {
                jvm.retransformClasses(batch.toArray(new Class<?>[0]));
            } catch (Exception | LinkageError e) {
                throw new IllegalStateException("classes from " + batch.get(0) + " on", e);
            }
        }
    }

    /** Names of classes whose methods threads are in. */
    private static Set<String> running() {
        Set<String> names = new HashSet<>();
        for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
            for (StackTraceElement frame : stack) {
                names.add(frame.getClassName());
            }
        }
        return names;
    }
}
