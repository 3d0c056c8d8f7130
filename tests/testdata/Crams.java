/**
 * Fills the old generation but for a rest, lets a few collections promote nothing, and then has more live in the young
 * generation than that rest. Arguments: rounds, objects that live for a while in each, and "held" where the last ones are
 * to live until the end: then their identity hashes are printed, and some have come through a collection before.
 */
public class Crams {
    static final class Wave {
        final byte[] part = new byte[72];
    }

    static volatile Object sink;
    static Wave[] held = {};

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]), objects = Integer.parseInt(args[1]);
        byte[] kept = new byte[17 << 20]; // too large for the young generation
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 12_000; i++) {
                sink = new byte[10_000];
            }
            Wave[] wave = new Wave[objects];
            for (int i = 0; i < objects; i++) {
                wave[i] = new Wave();
                for (int k = 0; args.length > 2 && i == 5_000 && k < 1_200; k++) {
                    sink = new byte[10_000];
                }
            }
            sink = wave;
            if (args.length > 2) {
                held = wave;
            }
            for (int i = 0; i < 2_000; i++) {
                sink = new byte[10_000];
            }
        }
        System.gc();
        for (Wave w : held) {
            System.out.println("hash " + Integer.toHexString(System.identityHashCode(w)));
        }
        System.out.println(kept.length + " kept");
    }
}
