/** Calls of constructors: in `certain` methods nothing can come between new and the call, in `perhaps` methods it can. */
class Entered {
    static int number;
    int own;

    Entered() {}

    Entered(int a, Object b) {}

    Object certainWithout() {
        return new Entered();
    }

    Object certainArguments(int a, Object b) {
        return new Entered(2 * a + 1, b);
    }

    Object certainField(Object b) {
        return new Entered(own, b);
    }

    static Object certainStatic(int a) {
        return new Entered(a, null);
    }

    Object perhapsCall(Object b) {
        return new Entered(b.hashCode(), b);
    }

    Object perhapsDivision(int a) {
        return new Entered(1 / a, null);
    }

    Object perhapsOther(Entered other) {
        return new Entered(other.own, null);
    }

    static Object perhapsFirst(Entered other) {
        return new Entered(other.own, null);
    }

    Object perhapsStatic() {
        return new Entered(Integer.MAX_VALUE, Other.some);
    }

    Object perhapsBranch(int a) {
        return new Entered(a > 0 ? a : own, null);
    }

    static class Other {
        static Object some = "";
    }
}
