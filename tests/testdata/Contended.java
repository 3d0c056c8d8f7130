import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads lock objects, and ask for their identity hashes, all the time while collections move these. What locks guard
 * has to stay right, and hashes the same.
 */
public class Contended {
    static final int CELLS = 8192, THREADS = 2;

    static final class Cell {
        int value, hash;
    }

    static volatile Cell[] before;
    static volatile Object sink;
    static final AtomicLong changed = new AtomicLong(), unlocked = new AtomicLong();

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        long lost = 0;
        for (int round = 0; round < rounds; round++) {
            Cell[] made = new Cell[CELLS];
            for (int i = 0; i < CELLS; i++) made[i] = make(i);
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong added = new AtomicLong();
            Thread[] threads = new Thread[THREADS];
            for (int t = 0; t < THREADS; t++) {
                threads[t] = new Thread(() -> added.addAndGet(lock(made, over)));
                threads[t].start();
            }
            fill();
            Thread.sleep(3);
            over.set(true);
            for (Thread t : threads) t.join();
            for (Cell cell : made) lost += cell.value;
            lost -= added.get();
            before = made;
        }
        System.out.println(rounds + " rounds, " + changed + " hashes have changed, " + unlocked + " locks and " + lost
            + " increments were lost");
    }

    /** At several sites, so that tags of most have to be kept. */
    static Cell make(int i) {
        switch (i % 8) {
            case 0: return new Cell();
            case 1: return new Cell();
            case 2: return new Cell();
            case 3: return new Cell();
            case 4: return new Cell();
            case 5: return new Cell();
            case 6: return new Cell();
            default: return new Cell();
        }
    }

    /** Fills a small eden up. */
    static void fill() {
        for (int i = 0; i < 5000; i++) sink = new byte[1000];
    }

    static long lock(Cell[] made, AtomicBoolean over) {
        long added = 0;
        while (!over.get())
            for (int i = 0; i < CELLS; i++) {
                Cell cell = made[i];
                synchronized (cell) {
                    cell.value++;
                    added++;
                    if (i % 8 == 0) {
                        if (cell.hash == 0) cell.hash = System.identityHashCode(cell);
                        if (cell.hash != System.identityHashCode(cell)) changed.incrementAndGet();
                    }
                    if (!Thread.holdsLock(cell)) unlocked.incrementAndGet();
                }
            }
        return added;
    }
}
