// threads: multi, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Four threads that allocate at the same sites at the same time. */
class FourThreads {
    static final class Item {
        final int owner;

        Item(int owner) {
            this.owner = owner;
        }
    }

    static long work(int owner) {
        long sum = 0;
        for (int i = 0; i < 5000; i++) {
            Item item = new Item(owner); // alloc: FourThreads$Item x20000
            if (i % (owner + 2) == 0) {
                sum += new int[owner + 1].length; // alloc: int[] x6417
            }
            sum += item.owner;
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        long[] sums = new long[4]; // alloc: long[] x1
        Thread[] threads = new Thread[4]; // alloc: java.lang.Thread[] x1
        for (int i = 0; i < threads.length; i++) {
            int owner = i;
            threads[i] = new Thread(() -> sums[owner] = work(owner)); // alloc: java.lang.Thread x4
            threads[i].start();
        }
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            sum += sums[i];
        }
        System.out.println("checksum " + sum);
    }
}
