import java.net.URL;
import java.net.URLClassLoader;

/** Loads a class anew all the time, for some milliseconds, and prints how long it had to wait at most, in milliseconds. */
public class Waits {
    public static class Loaded {
        int[] made = new int[3];
    }

    public static void main(String[] args) throws Exception {
        URL[] here = {Waits.class.getProtectionDomain().getCodeSource().getLocation()};
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000, longest = 0;
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
