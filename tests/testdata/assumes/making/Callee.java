/** Allocates, itself and deeper. */
class Callee {
    static int answer() {
        return new int[41].length + deeper();
    }

    static int deeper() {
        return new long[1].length;
    }
}
