/** Walks all paths of a binary tree of calls, of a depth, and makes an array at each leaf; again and again. */
class Paths {
    static volatile Object made;

    static void left(int depth) {
        leaf(depth);
    }

    static void right(int depth) {
        leaf(depth);
    }

    static void leaf(int depth) {
        if (depth == 0) {
            made = new int[3];
            return;
        }
        left(depth - 1);
        right(depth - 1);
    }

    public static void main(String[] args) throws InterruptedException {
        for (int walks = 0; walks < 300; walks++) {
            leaf(Integer.parseInt(args[0]));
            System.out.println("walked");
            Thread.sleep(100);
        }
    }
}
