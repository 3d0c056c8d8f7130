import java.lang.reflect.Field;
import sun.misc.Unsafe;

/**
 * Makes objects, and between them large arrays whose elements look like such objects, headers included: who guesses
 * where objects begin is led astray. It says how many arrays have other elements at their end than it put there.
 */
public class Forged {
    static class Real {
        int field;
        Object next;
        long last;
    }

    static final int WORDS = 4; // of a Real, or more

    static volatile Object sink;

    public static void main(String[] args) throws Exception {
        int arrays = Integer.parseInt(args[0]), between = Integer.parseInt(args[1]), changed = 0;
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe unsafe = (Unsafe) f.get(null);
        long[][] kept = new long[8][];
        long[] headers = new long[kept.length];
        for (int i = 0; i < arrays; i++) {
            Real list = null;
            for (int k = 0; k < between; k++) {
                Real r = new Real();
                r.next = k % 100 == 0 ? null : list;
                list = r;
            }
            sink = list;
            int slot = i % kept.length;
            changed += changed(kept[slot], headers[slot]);
            long header = unsafe.getLong(list, 0L), klass = unsafe.getInt(list, 8L) & 0xffffffffL;
            if ((header & 7) != 1) {
                header = 1;
            }
            long[] forged = new long[40_000 + i % 17];
            int step = i % 2 == 0 ? 3 : WORDS;
            for (int w = 0; w + 1 < forged.length; w += step) {
                forged[w] = header;
                forged[w + 1] = klass;
            }
            kept[slot] = forged;
            headers[slot] = header;
        }
        for (int slot = 0; slot < kept.length; slot++) {
            changed += changed(kept[slot], headers[slot]);
        }
        System.out.println(arrays + " arrays, " + changed + " have changed");
    }

    static int changed(long[] forged, long header) {
        if (forged == null) {
            return 0;
        }
        int step = forged[3] == header ? 3 : WORDS;
        for (int w = 0; w + 1 < forged.length; w += step) {
            if (forged[w] != header) {
                return 1;
            }
        }
        return 0;
    }
}
