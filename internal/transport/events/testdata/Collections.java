/** Makes garbage until there have been some collections, young and full. */
public class Collections {
    static Object last;

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            last = new byte[100_000];
            if (i % 1000 == 0) System.gc();
        }
        System.out.println("done");
    }
}
