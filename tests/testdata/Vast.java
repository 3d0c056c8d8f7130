/**
 * "Vast OBJECTS MEGABYTES": keeps so many objects, and makes three arrays of so many megabytes, one after the other, of
 * which it keeps the last.
 */
public class Vast {
    static class Live {
        long a, b, c, d, e;
    }

    static class Nothing {
    }

    static final int CHUNK = 50_000;
    static Live[][] live;
    static Nothing[] array;

    public static void main(String[] args) {
        int objects = Integer.parseInt(args[0]), megabytes = Integer.parseInt(args[1]);
        live = new Live[(objects + CHUNK - 1) / CHUNK][];
        for (int i = 0; i < objects; i++) {
            if (i % CHUNK == 0) {
                live[i / CHUNK] = new Live[CHUNK];
            }
            live[i / CHUNK][i % CHUNK] = new Live();
        }
        for (int i = 0; i < 3; i++) {
            array = null;
            array = new Nothing[megabytes << 18];
            System.gc();
        }
        System.gc();
        System.out.println(objects + " objects, " + (array.length >> 18) + " MB");
    }
}
