import java.util.Scanner;

/** Makes 1000 arrays in each class whose name it reads, a line each, and says how many milliseconds that took. */
public class Comes {
    public static class A {
        public static int make() {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += new int[7].length;
            }
            return sum;
        }
    }

    public static class C {
        public static int make() {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += new short[7].length;
            }
            return sum;
        }
    }

    public static class B {
        public static int make() {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += new long[7].length;
            }
            return sum;
        }
    }

    public static class D {
        public static int make() {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += new char[7].length;
            }
            return sum;
        }
    }

    static int sum;

    /** Work of a class that is loaded when it is first asked for; D's is a new thread's. */
    static int make(String name) throws Exception {
        switch (name) {
            case "A": return A.make();
            case "B": return B.make();
            case "C": return C.make();
            case "D":
                Thread thread = new Thread(() -> sum = D.make());
                thread.start();
                thread.join();
                return sum;
            default: return (int) Class.forName(name).getMethod("make").invoke(null);
        }
    }

    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String name = in.nextLine();
            long start = System.nanoTime();
            int sum = make(name);
            long took = (System.nanoTime() - start) / 1_000_000;
            System.out.println(took + " " + sum);
        }
        System.exit(7);
    }
}
