// threads: single, crosses: no, min-jdk: 21, exit: 0, deterministic: yes

/** What the JDK makes of records: their toString concatenates, in several steps where there are many components, and in no class that can be seen. */
class Records {
    record Point(int x, double y, String name) {}

    record Pair(Object left, Object right) {}

    record Many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o, int p, int q, int r, int s, int t, int u,
            int v, int w, int x, int y, int z) {}

    record Empty() {}

    public static void main(String[] args) {
        int sum = 0;
        Point last = null;
        Pair pair = null;
        for (int i = 0; i < 300; i++) {
            Point point = new Point(i, 0.5 * i, i % 2 == 0 ? "even" : "odd"); // alloc: Records$Point x300
            sum += point.toString().length() + (point.hashCode() & 1) + (point.equals(last) ? 1 : 0);
            last = point;
            pair = new Pair(i % 50 == 0 ? null : pair, point); // alloc: Records$Pair x300
            sum += pair.toString().length() + (pair.hashCode() & 1);
            Many many = new Many(i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26); // alloc: Records$Many x300
            sum += many.toString().length();
            sum += new Empty().toString().length(); // alloc: Records$Empty x300
        }
        System.out.println("checksum " + sum);
    }
}
