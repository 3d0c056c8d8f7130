/** A workload that allocates a little. */
public final class Tiny extends Workload {
    @Override
    protected long iterate() {
        long sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new int[i % 7].length + Integer.toString(i).hashCode() % 5;
        }
        return sum & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Tiny().run(args);
    }
}
