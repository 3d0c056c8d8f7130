import java.util.concurrent.CountDownLatch;

/** Threads that allocate: "turns" N starts one after the other has ended, "together" N are alive at once and count after they were renamed. */
class Threads {
    static volatile Object sink;

    static void work() {
        for (int i = 0; i < 10; i++) {
            sink = new int[i];
        }
    }

    static void turns(int n) throws InterruptedException {
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(Threads::work);
            thread.start();
            thread.join();
        }
    }

    static void together(int n) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(n);
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(null, () -> {
                started.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                work();
            }, "young", 128 << 10);
            threads[i].start();
        }
        started.await();
        for (int i = 0; i < n; i++) {
            threads[i].setName("renamed " + i);
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = Integer.parseInt(args[1]);
        if (args[0].equals("turns")) {
            turns(n);
        } else {
            together(n);
        }
        System.out.println("done");
    }
}
