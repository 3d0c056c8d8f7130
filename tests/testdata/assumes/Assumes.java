/** Loads Callee before Caller, whose calls of it announce nothing where it is plain. */
public class Assumes {
    public static void main(String[] args) {
        int sum = Callee.answer();
        for (int i = 0; i < 20; i++) {
            sum += deeper(100);
        }
        System.out.println("sum " + sum);
    }

    static int deeper(int n) {
        return n == 0 ? 0 : Caller.call(n) + deeper(n - 1);
    }
}

class Caller {
    static int call(int n) {
        int sum = answer(n);
        sum += Callee.answer();
        return sum;
    }

    static int answer(int n) {
        return new byte[n % 3].length;
    }
}
