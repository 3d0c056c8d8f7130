import java.util.function.Supplier;

/** Puts sockets of its own in the place of all that it has not opened, and does something of everything. */
class Seizes {
    static volatile Object sink;

    static native void seize();

    static native int arrived();

    static class Later {
        static Object make(int n) {
            return new int[n];
        }
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        seize();
        sink = Later.make(7);
        Supplier<Object> lambda = () -> new long[7];
        sink = lambda.get();
        Thread thread = new Thread(() -> sink = new Object[7]);
        thread.start();
        thread.join();
        try {
            ((Object[]) sink)[7] = sink;
        } catch (ArrayIndexOutOfBoundsException e) {
            sink = e;
        }
        System.gc();
        System.out.println(arrived() + " bytes meanwhile");
    }
}
