// threads: multi, crosses: no, min-jdk: 21, release: 21, exit: 0, deterministic: yes

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;

/** Virtual threads that change carriers between an allocation and the next. */
class VirtualThreads {
    record Message(int sender, int number) {}

    static int produce(SynchronousQueue<Message> queue, int sender) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            Message message = new Message(sender, i); // alloc: VirtualThreads$Message x1000
            queue.put(message);
            sum += new short[i].length; // alloc: short[] x1000
            Thread.yield();
            if (i % 4 == sender % 4) {
                sum += new char[sender].length; // alloc: char[] x250
            }
        }
        return sum;
    }

    static int consume(SynchronousQueue<Message> queue, int messages) throws InterruptedException {
        int sum = 0;
        for (int i = 0; i < messages; i++) {
            long[] sealed = {queue.take().number}; // alloc: long[] x1000
            Thread.yield();
            sum += new Message(-1, (int) sealed[0]).number; // alloc: VirtualThreads$Message x1000
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int sum = 0;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>(); // alloc: java.util.ArrayList x1
            SynchronousQueue<Message> queue = new SynchronousQueue<>(); // alloc: java.util.concurrent.SynchronousQueue x1
            for (int i = 0; i < 50; i++) {
                int sender = i;
                results.add(executor.submit(() -> produce(queue, sender)));
            }
            results.add(executor.submit(() -> consume(queue, 1000)));
            for (Future<Integer> result : results) {
                sum += result.get();
            }
        }
        System.out.println("checksum " + sum);
    }
}
