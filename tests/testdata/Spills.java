/** Makes 1024 arrays, in two halves, whose length is read: as many as fit into a packed counter. It reads a line before each half, and ends at the end of its input. */
class Spills {
    static void work(int length) {
        for (int i = 0; i < 512; i++) {
            if (new byte[length].length != length) {
                throw new AssertionError();
            }
        }
    }

    public static void main(String[] args) throws java.io.IOException {
        for (int c; (c = System.in.read()) >= 0; ) {
            if (c == '\n') {
                work(c);
                System.out.println("step ");
            }
        }
    }
}
