import java.lang.reflect.Method;
import java.util.concurrent.Semaphore;

/**
 * Threads come and go, some at a time. Each makes arrays in two contexts, by its number: 3 + i % 7 on the left, 2 + i % 5
 * on the right, one at the end of recursion that is i % 32 deep.
 */
class ThreadChurn {
    static volatile Object sink;

    static void make() {
        sink = new int[1];
    }

    static void left(int n) {
        for (int i = 0; i < n; i++) {
            make();
        }
    }

    static void right(int n) {
        for (int i = 0; i < n; i++) {
            make();
        }
    }

    static void down(int n) {
        if (n == 0) {
            sink = new long[1];
        } else {
            down(n - 1);
        }
    }

    static void work(int i) {
        left(3 + i % 7);
        right(2 + i % 5);
        down(i % 32);
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int atATime = Integer.parseInt(args[1]);
        Method virtual = args.length > 2 ? Thread.class.getMethod("startVirtualThread", Runnable.class) : null;
        Semaphore permits = new Semaphore(atATime);
        for (int n = 0; n < threads; n++) {
            int i = n;
            permits.acquire();
            Runnable body = () -> {
                work(i);
                permits.release();
            };
            if (virtual == null) {
                new Thread(body, "thread " + i).start();
            } else {
                virtual.invoke(null, body);
            }
        }
        permits.acquire(atATime);
        System.out.println("done");
    }
}
