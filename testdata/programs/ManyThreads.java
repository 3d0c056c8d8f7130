// threads: multi, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Threads created one after another, each allocating a little: 2,000, or as many as the first argument says. */
class ManyThreads {
    static final class Task extends Thread {
        final int number;
        int result;

        Task(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            int[] digits = new int[3]; // alloc: int[] x2000
            for (int i = 0, rest = number; i < digits.length; i++, rest /= 10) {
                digits[i] = rest % 10;
                if (digits[i] == 7) {
                    result += new long[1].length; // alloc: long[] x600
                }
            }
            result += digits[0];
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
        long sum = 0;
        for (int i = 0; i < threads; i++) {
            Task task = new Task(i); // alloc: ManyThreads$Task x2000
            task.start();
            task.join();
            sum += task.result;
        }
        System.out.println("checksum " + sum);
    }
}
