import mallard.Context;

/** Begins as many transactions of different names as it is told to, and a second time each, and makes an object in each. Then it ends one too many. */
public class Named {
    static final class Marker {}

    static Object kept;

    public static void main(String[] args) {
        int names = Integer.parseInt(args[0]);
        for (int i = 0; i < 2 * names; i++) {
            Context.begin("name " + i % names);
            try {
                kept = new Marker();
            } finally {
                Context.end();
            }
        }
        Context.end();
        kept = new Marker();
        System.out.println(Context.current() != 0);
    }
}
