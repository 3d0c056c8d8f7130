import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Makes many small arrays of different lengths when it is told to, and for every thousandth an object, which it keeps.
 * A line says when all is made, the next one how many collections that took. Arguments: how many, and "hashed" where it
 * asks for the identity hash of each array.
 */
public class Floods {
    static final class Drop {
        final int number;

        Drop(int number) {
            this.number = number;
        }
    }

    static final int EACH = 1_000, CALM = 20;

    static byte[] last;

    static boolean hashed;

    static Drop[] flood(int arrays) {
        Drop[] kept = new Drop[arrays / EACH];
        for (int i = 0; i < arrays; i++) {
            last = new byte[i * 7 % 61];
            if (hashed) {
                System.identityHashCode(last);
            }
            if (i % EACH == 0) {
                kept[i / EACH] = new Drop(i);
            }
        }
        return kept;
    }

    static long collections() {
        long sum = 0;
        for (var bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            sum += bean.getCollectionCount();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Drop[][] kept = {flood(100_000), null};
        System.gc();
        System.out.println("begun");
        System.in.read();
        hashed = args.length > 1;
        kept[1] = flood(Integer.parseInt(args[0]));
        System.out.println("made");
        System.in.read();
        System.out.println(collections());
        System.in.read();
        for (int i = 0; i < CALM; i++) {
            System.gc();
        }
        System.out.println(Arrays.stream(kept).mapToInt(k -> k.length).sum());
    }
}
