package java.lang;

/** What the runtime class needs of Thread, to compile against: the field that Mallard adds is in no JDK. */
public class Thread {
    long $mallard;

    public static native Thread currentThread();

    static native Thread currentCarrierThread();
}
