import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens files, which may get the numbers of streams that are closed, and has them open until the end: then they have
 * what was written to these, too. What comes of the streams is in another file.
 */
class Closed {
    static volatile Object sink;

    static String read() {
        try {
            return "read " + System.in.read();
        } catch (IOException e) {
            return "read: " + e.getMessage();
        }
    }

    static String print(PrintStream to) {
        to.println("printed");
        to.flush();
        return "failed " + to.checkError();
    }

    public static void main(String[] args) throws Exception {
        // A tenth of a second behind its start JDK 25 opens a file of its own (os::read_image_release_file).
        Thread.sleep(1000);
        List<FileOutputStream> files = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            files.add(new FileOutputStream(args[0] + "/" + i));
        }
        List<String> came = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            came.add(read());
            came.add(print(System.out));
            came.add(print(System.err));
            Thread thread = new Thread(() -> sink = new int[100]);
            thread.start();
            thread.join();
        }
        for (FileOutputStream file : files) {
            file.write("its own\n".getBytes());
        }
        Files.write(Path.of(args[0], "came"), came);
    }
}
