package java.lang;

/** What the JDK's methods call that start threads and mount virtual ones, without effect. */
public final class $MallardThreads {
    private $MallardThreads() {}

    public static void boot() {}

    public static void own() {}

    public static void mount(Thread virtual) {}

    public static void terminated(Thread virtual) {}

    public static void hide() {}

    public static void show() {}

    public static void started() {}

    public static void resumes(boolean started) {}

    public static void left() {}
}
