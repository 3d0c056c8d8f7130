package demo;

public class Main {
    public static void main(String[] args) {
        for (int i = 0; i < 100; i++) {
            new Main();
        }
        System.out.println(Main.class.getModule());
    }
}
