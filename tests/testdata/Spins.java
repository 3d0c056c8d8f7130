/** Ends while a daemon thread goes on allocating. */
class Spins {
    static volatile Object last;

    static void spin() {
        while (true) last = new int[3];
    }

    public static void main(String[] args) throws InterruptedException {
        Thread daemon = new Thread(Spins::spin);
        daemon.setDaemon(true);
        daemon.start();
        while (last == null) Thread.onSpinWait();
        for (int i = 0; i < 1000; i++) last = new long[2];
        System.out.println("spun");
    }
}
