/** Methods that are transactions by themselves. */
class Named {
    static Object order() {
        return new Object();
    }

    Object kind(Object object) {
        return object;
    }

    static int number(long before, int n) {
        return n;
    }

    /** Each time round; what is not one is not counted: the condition that does not hold. */
    static void main(String[] args) {
        int i = 0;
        while (more(i)) {
            order();
            i++;
        }
    }

    static boolean more(int i) {
        return i < 10;
    }
}
