/**
 * For each line it reads runs a loop whose conditions heuristics expect to hold and that hardly ever do, in a class of its own or, with the argument
 * "live", in that of main, and says how often it allocated.
 */
class Skewed {
    static int scramble(int x) {
        x = (x ^ x >>> 16) * 0x45d9f3b;
        x = (x ^ x >>> 16) * 0x45d9f3b;
        return (x ^ x >>> 16) & 0x7fffffff;
    }

    static class Apart {
        static long run(int n, int salt) {
            long sum = 0;
            for (int i = 0; i < n; i++) {
                int a = scramble(i + salt) % 100 - 99;
                int b = scramble(i - salt) % 100 - 99;
                if (a >= 0) {
                    sum += new int[1].length;
                }
                if (b >= 0) {
                    sum += (long) new char[1].length << 32;
                }
            }
            return sum;
        }
    }

    static long run(int n, int salt) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int a = scramble(i + salt) % 100 - 99;
            int b = scramble(i - salt) % 100 - 99;
            if (a >= 0) {
                sum += new int[1].length;
            }
            if (b >= 0) {
                sum += (long) new char[1].length << 32;
            }
        }
        return sum;
    }

    public static void main(String[] args) throws java.io.IOException {
        boolean live = args.length > 0;
        int steps = 0;
        long ints = 0;
        long chars = 0;
        for (int c; (c = System.in.read()) >= 0; ) {
            if (c == '\n') {
                long sum = live ? run(1_000_000, steps) : Apart.run(1_000_000, steps);
                ints += (int) sum;
                chars += sum >> 32;
                System.out.println("step " + ++steps);
            }
        }
        System.out.println(ints + " " + chars);
    }
}
