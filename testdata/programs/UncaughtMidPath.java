// threads: multi, crosses: yes, min-jdk: 17, exit: 1, deterministic: yes

/** Exceptions end main, and a thread before it, between two allocations. */
class UncaughtMidPath {
    static int fall(int n) {
        int[] before = new int[n]; // alloc: int[] x8
        int sum = before[n - 1] + fall(n - 1);
        return sum + new long[1].length; // never reached
    }

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> System.out.println(new char[1].length + fall(3))); // alloc: java.lang.Thread x1, char[] x1
        thread.start();
        thread.join();
        System.out.println("checksum " + new short[2].length); // alloc: short[] x1
        System.out.println(new double[3].length + fall(3)); // alloc: double[] x1
    }
}
