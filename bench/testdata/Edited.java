/** Prints what its instructions give, and what Ours gives in their place. */
public class Edited {
    static final Edited[] ALL = {null};
    final String name;

    Edited(String a, int b) {
        name = a + b;
    }

    static String join(String a, long b) {
        return a + b;
    }

    public static void main(String[] args) {
        System.out.println(join("call", 1L) + " " + new Edited(new String("made"), join("", 23L).length()).name + " "
                + (ALL[0] == null ? "none" : ALL[0].name));
    }

    /** What is called in their place. */
    public static class Ours {
        static String join(String a, long b) {
            return "our " + Edited.join(a, b);
        }

        static Edited make(String a, int b) {
            return new Edited("our " + a, b);
        }

        static Edited element(Edited[] all, int i) {
            return new Edited("our element ", i);
        }
    }
}
