import java.lang.ref.WeakReference;

/** Waits until arrays that it has let go are collected, and allocates nothing meanwhile. Prints how many of 20 are. */
public class Held {
    public static void main(String[] args) throws InterruptedException {
        int collected = 0;
        for (int i = 0; i < 20; i++) {
            WeakReference<byte[]> array = new WeakReference<>(new byte[500_000]);
            for (int tries = 0; array.get() != null && tries < 50; tries++) {
                Thread.sleep(10);
                System.gc();
            }
            collected += array.get() == null ? 1 : 0;
        }
        System.out.println(collected);
    }
}
