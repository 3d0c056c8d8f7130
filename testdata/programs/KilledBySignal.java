// threads: single, crosses: no, min-jdk: 17, exit: 137, deterministic: yes

import java.io.IOException;

/** Kills its own process, so that nothing of the JVM runs at the end. */
class KilledBySignal {
    public static void main(String[] args) throws IOException, InterruptedException {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new int[i % 7].length; // alloc: int[] x1000
        }
        System.out.println("checksum " + sum);
        System.out.flush();
        String self = Long.toString(ProcessHandle.current().pid());
        new ProcessBuilder("kill", "-KILL", self).start().waitFor(); // alloc: java.lang.ProcessBuilder x1, java.lang.String[] x1
        while (true) {
            Thread.sleep(1000);
        }
    }
}
