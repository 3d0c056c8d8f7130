import java.util.function.Supplier;

/**
 * For each line it reads, a thread that has asked for a large stack calls a hidden class that allocates, one that is
 * made for the second line.
 */
class Sized {
    static Supplier<Object> made = () -> "none";
    static volatile Object sink;

    static void call() {
        for (int i = 0; i < 1000; i++) {
            sink = made.get();
        }
    }

    public static void main(String[] args) throws Exception {
        int lines = 0;
        for (int c; (c = System.in.read()) >= 0; ) {
            if (c == '\n') {
                if (++lines == 2) {
                    made = Object::new;
                }
                Thread thread = new Thread(null, Sized::call, "sized", (1L << 28) + (lines << 20));
                thread.start();
                thread.join();
                System.out.println("step " + lines);
            }
        }
    }
}
