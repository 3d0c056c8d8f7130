import java.util.BitSet;

/** Has the JDK allocate, from main on. */
public class Bits {
    public static void main(String[] args) {
        int bits = 0;
        for (int i = 0; i < 100; i++) {
            BitSet set = new BitSet(128);
            set.set(i);
            bits += ((BitSet) set.clone()).cardinality();
        }
        System.out.println(bits);
    }
}
