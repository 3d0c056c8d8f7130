class Reads {
    int number;
    long wide;
    String text;
    double[] rows;

    // What is read is passed on, whatever its type.
    static long fields(Reads r) {
        return r.number + r.wide + r.text.length();
    }

    static Object elements(int[] ints, byte[] bytes, Object[] objects, Reads r, int i) {
        r.rows[i] = ints[i] + bytes[i] + r.rows[i + 1];
        return new Object[] {objects[i]};
    }

    // What is written is not.
    Reads(int number) {
        this.number = number;
    }
}
