/** Neither allocates nor calls. */
class Callee {
    static int answer() {
        return 42;
    }
}
