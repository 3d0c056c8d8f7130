package java.lang;

/** What the runtime classes need of Thread, to compile against: the fields that Mallard adds are in no JDK. */
public class Thread {
    long $mallard;
    long $next;
    int $called;
    long $table;

    public static native Thread currentThread();

    static native Thread currentCarrierThread();
}
