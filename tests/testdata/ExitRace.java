import java.util.concurrent.CountDownLatch;

/** Exits while daemon threads allocate as fast as they can, always the three classes in turn. */
class ExitRace {
    static class First {}

    static class Second {}

    static class Third {}

    static volatile Object sink;

    static void work(CountDownLatch started) {
        for (int i = 0; ; i++) {
            sink = new First();
            sink = new Second();
            sink = new Third();
            if (i == 1000) {
                started.countDown();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> work(started));
            thread.setDaemon(true);
            thread.start();
        }
        started.await();
        System.out.println("exiting");
        System.exit(3);
    }
}
