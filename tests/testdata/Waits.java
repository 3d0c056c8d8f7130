import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;

/**
 * Loads a class anew all the time, for some milliseconds, and prints how long it had to wait at most, in milliseconds; or
 * how long the JVM took to start, if that is longer.
 */
public class Waits {
    public static class Loaded {
        int[] made = new int[3];
    }

    /** How long ago the process was started, in nanoseconds. */
    static long started() {
        Instant then = ProcessHandle.current().info().startInstant().orElseThrow();
        return Duration.between(then, Instant.now()).toNanos();
    }

    public static void main(String[] args) throws Exception {
        URL[] here = {Waits.class.getProtectionDomain().getCodeSource().getLocation()};
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000, longest = started();
        for (long now = System.nanoTime(); now < end; ) {
            try (URLClassLoader loader = new URLClassLoader(here, null)) {
                loader.loadClass("Waits$Loaded").getConstructor().newInstance();
            }
            long then = now;
            now = System.nanoTime();
            longest = Math.max(longest, now - then);
        }
        System.out.println(longest / 1_000_000);
    }
}
