public class Versioned {
    public static void main(String[] args) {
        System.out.println(new Versioned().version());
    }

    String version() {
        return "base " + new int[7].length;
    }
}
