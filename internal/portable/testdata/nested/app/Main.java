package app;

public class Main {
    public static void main(String[] args) {
        for (int i = 0; i < 7; i++) {
            lib.Library.make(Main::new);
        }
        System.out.println("done");
    }
}
