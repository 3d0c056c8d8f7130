/**
 * Makes arrays that have a region of G1's each, full of objects that get old, and lets go of all of them before it asks
 * for a collection, which is concurrent: nothing in these regions lives. Arguments: rounds, arrays, elements of each.
 */
public class Reclaimed {
    static final class Old {
        long a, b;
    }

    static Old[][] held;
    static final Object[] kept = new Object[100];

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]), arrays = Integer.parseInt(args[1]), elements = Integer.parseInt(args[2]);
        for (int round = 0; round < rounds; round++) {
            held = new Old[arrays][];
            for (int i = 0; i < arrays; i++) {
                held[i] = make(elements);
            }
            kept[round] = held[0][0]; // one region stays
            System.gc(); // all of it is old
            held = null;
            System.gc();
        }
        System.out.println("done");
    }

    static Old[] make(int elements) {
        Old[] array = new Old[elements];
        for (int i = 0; i < elements; i += 4) {
            array[i] = new Old();
        }
        return array;
    }
}
