import java.util.function.Function;

/**
 * Has, in rounds, what makes objects come and go, and keeps those of every tenth. What makes them is a class that is
 * loaded again and again, of 64 sites, or "threads" in 200 contexts each. Between rounds it says "round" and
 * collects, until there is a line, and once more. Arguments: which, rounds, how many in each.
 */
public class TagsAgain {
    static final int SITES = 64, CONTEXTS = 200;

    public static final class Made {
        long a;
    }

    /** Is loaded again and again. */
    public static class Maker implements Function<Made[], Integer> {
        private Made[] made;

        private int put(int at, Made... list) {
            System.arraycopy(list, 0, made, at, list.length);
            return at + list.length;
        }

        @Override
        public Integer apply(Made[] to) {
            made = to;
            int at = 0;
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            at = put(at, new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made(), new Made());
            return at;
        }
    }

    static final class Loader extends ClassLoader {
        final byte[] file;

        Loader(byte[] file) {
            super(TagsAgain.class.getClassLoader());
            this.file = file;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals("TagsAgain$Maker") ? defineClass(name, file, 0, file.length)
                : super.loadClass(name, resolve);
        }
    }

    static void deeper(Made[] to, int at) {
        to[at] = new Made();
        if (at + 1 < to.length) {
            deeper(to, at + 1);
        }
    }

    static Made[][] kept;
    static byte[] file;

    static void byClass(int i) throws Exception {
        Made[] made = new Made[SITES];
        @SuppressWarnings("unchecked")
        Function<Made[], Integer> maker = (Function<Made[], Integer>) new Loader(file).loadClass("TagsAgain$Maker")
            .getConstructor().newInstance();
        maker.apply(made);
        keep(i, made);
    }

    static void byThread(int i) throws Exception {
        Made[] made = new Made[CONTEXTS];
        Thread thread = new Thread(() -> deeper(made, 0), "maker " + i);
        thread.start();
        thread.join();
        keep(i, made);
    }

    static void keep(int i, Made[] made) {
        if (i % 10 == 0) {
            kept[i / 10] = made;
        }
    }

    /** Has all that is there been met, and what is not be known to be gone. */
    static void collect() {
        for (int i = 0; i < 6; i++) {
            System.gc();
        }
    }

    public static void main(String[] args) throws Exception {
        try (var in = TagsAgain.class.getResourceAsStream("TagsAgain$Maker.class")) {
            file = in.readAllBytes();
        }
        int rounds = Integer.parseInt(args[1]), each = Integer.parseInt(args[2]);
        kept = new Made[(rounds * each + 9) / 10][];
        for (int round = 0; round < rounds; round++) {
            for (int i = round * each; i < (round + 1) * each; i++) {
                if (args[0].equals("threads")) {
                    byThread(i);
                } else {
                    byClass(i);
                }
            }
            System.out.println("round");
            do {
                collect();
                Thread.sleep(200);
            } while (System.in.available() == 0);
            System.in.read();
            collect();
        }
        System.out.println(kept.length);
    }
}
