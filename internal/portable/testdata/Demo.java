/** Allocates a little, and ends as its first argument says. */
public class Demo {
    public static void main(String[] args) {
        for (int i = 0; i < 100; i++) {
            new Demo();
        }
        System.out.println("done");
        switch (args.length > 0 ? args[0] : "") {
            case "exit":
                System.exit(3);
            case "throw":
                throw new IllegalStateException("on purpose");
            case "halt":
                Runtime.getRuntime().halt(4);
            case "daemon":
                Thread daemon = new Thread(() -> {
                    while (true) {
                        new Demo();
                    }
                });
                daemon.setDaemon(true);
                daemon.start();
            default:
        }
    }
}
