// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes, stdin: to be or not to be

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Reads standard input to its end, echoes each word, and writes to both outputs. */
class Echo {
    record Word(String text, int length) {}

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in)); // alloc: java.io.BufferedReader x1, java.io.InputStreamReader x1
        int sum = 0;
        String line;
        while ((line = input.readLine()) != null) {
            for (String text : line.split(" ")) {
                Word word = new Word(text, text.length()); // alloc: Echo$Word x6
                System.out.println(word.text());
                sum += word.length();
            }
        }
        System.err.println("end of input");
        System.out.println("checksum " + sum);
    }
}
