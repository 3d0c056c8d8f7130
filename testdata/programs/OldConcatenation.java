// threads: single, crosses: no, min-jdk: 17, release: 8, exit: 0, deterministic: yes

/** Class-file version 52: each concatenation is a StringBuilder of this program. */
class OldConcatenation {
    static String describe(int n) {
        if (n % 3 == 0) {
            return "fizz" + n; // alloc: java.lang.StringBuilder x34
        }
        String text = "";
        for (int i = 0; i < n % 4; i++) {
            text += i + ","; // alloc: java.lang.StringBuilder x99
        }
        return n % 5 == 0 ? text + '!' : text; // alloc: java.lang.StringBuilder x13
    }

    public static void main(String[] args) {
        int hash = 0;
        for (int i = 0; i < 100; i++) {
            hash = 31 * hash + describe(i).hashCode();
        }
        System.out.println("checksum " + hash); // alloc: java.lang.StringBuilder x1
    }
}
