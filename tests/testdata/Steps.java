/** Makes 1000 arrays for each line it reads, says so, and ends with exit code 7 at the end of its input. */
class Steps {
    static int work() {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new int[7].length;
        }
        return sum;
    }

    public static void main(String[] args) throws java.io.IOException {
        int sum = 0;
        for (int c; (c = System.in.read()) >= 0; ) {
            if (c == '\n') {
                sum += work();
                System.out.println("step " + sum / 7000);
            }
        }
        System.out.println("sum " + sum);
        System.exit(7);
    }
}
