/** Calls back from native threads that attach to the JVM and detach again. */
class Attach {
    static volatile int[] sink;

    /** On that many threads, as many rounds of: attach, call {@link #called}, detach. */
    static native void attach(int threads, int rounds);

    static void called() {
        sink = new int[3];
    }

    public static void main(String[] args) {
        System.load(args[0]);
        attach(8, 100);
        System.out.println("done");
    }
}
