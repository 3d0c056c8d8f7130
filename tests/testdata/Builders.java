/** Makes Strings with builders that nothing else is done with, of which C2 may do without, here and there. */
public class Builders {
    static int length;

    static String first(int i) { return new StringBuilder().append("first-").append(i).toString(); }

    static String second(String s, int i) {
        StringBuffer b = new StringBuffer("second-");
        return b.append(s).append(':').append(i).toString();
    }

    static String both(int i) { return new StringBuilder().append(first(i)).append(second("x", i)).toString(); }

    /** Whoever makes a builder otherwise, as reflection does, takes nobody's site. */
    static Object other() throws Exception {
        return StringBuilder.class.getConstructor().newInstance();
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds; i++) {
            length += first(i).length() + both(i).length();
            if (i % 10 == 0) other();
        }
        System.out.println(length > 0);
    }
}
