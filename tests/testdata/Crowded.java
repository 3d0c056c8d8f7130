/** Objects that stay for ever, between others that get old and die, in a heap that has hardly any room left. */
public class Crowded {
    static final class Kept {}

    public static void main(String[] args) {
        Kept[] kept = new Kept[Integer.parseInt(args[0])];
        byte[][] replaced = new byte[kept.length][], wave = new byte[kept.length / 5 * 2][];
        int at = 1;
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new Kept();
            at = next(at);
            replaced[i] = new byte[at % 300];
        }
        System.gc();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            at = next(at);
            replaced[at % replaced.length] = new byte[at % 300];
            int step = i % (8 * wave.length);
            wave[step % wave.length] = step < wave.length ? new byte[200] : null;
        }
        System.out.println(kept.length + " are kept");
    }

    static int next(int at) {
        return (int) (at * 48_271L % Integer.MAX_VALUE);
    }
}
