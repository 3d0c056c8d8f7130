package mallard.portable;

/**
 * When counting begins where classes of the JDK count: some of them run before there is a thread, or properties, or
 * method handles. So nothing is counted before the JVM is about to load the program's main class: the running thread
 * has a class loader for it then.
 */
final class LateGate {
    private static boolean isOpen;
    private static boolean isOpening;

    private LateGate() {}

    static boolean isOpen() {
        return isOpen || opens();
    }

    private static boolean opens() {
        // Before the last of the standard streams exists, the current thread may not be asked for.
        if (isOpening || System.err == null || Thread.currentThread().getContextClassLoader() == null) {
            return false;
        }
        isOpening = true; // what is called from here does not count
        Own.load();
        isOpen = true;
        return true;
    }
}
