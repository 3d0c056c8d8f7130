import java.util.Random;

/** Allocates garbage and what lives for a while, arrays of humongous size among it, and has the JVM collect. */
public class Collects {
    static final Object[] KEPT = new Object[20_000];
    static long sum;

    public static void main(String[] args) {
        int times = Integer.parseInt(args[0]);
        Random random = new Random(1);
        for (int i = 0; i < times; i++) {
            byte[] b = new byte[100 + random.nextInt(3000)];
            KEPT[random.nextInt(KEPT.length)] = b;
            sum += b.length;
            if (i % 20_000 == 7) KEPT[5] = new byte[3 << 20];
            if (i % (times / 3) == times / 4) System.gc();
        }
        System.out.println(sum);
    }
}
