// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.io.InputStream;

/** Classes of a loader that is the program's own: the VM calls it from wherever a class is named first, often from several places between two calls. */
class Loading {
    static int asked;

    static final class Own extends ClassLoader {
        Own() {
            super(Own.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("Loading$Own")) { // among them the class that instrumented code calls
                return super.loadClass(name);
            }
            asked += new int[2].length; // alloc: int[] x7
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Names four classes while it calls nothing, and so do initialisers of these. */
    public static final class OwnFirst {
        static int sum = OwnSecond.size;

        public static int run() {
            int all = sum;
            all += OwnFourth.size;
            all += OwnFifth.size;
            return all + OwnSixth.size();
        }
    }

    static class OwnSecond {
        static int size = OwnThird.size + 1;
    }

    static class OwnThird {
        static int size = OwnSeventh.VALUES[1];
    }

    static class OwnFourth {
        static int size = 4;
    }

    static class OwnFifth extends OwnFourth {
        static int size = OwnSeventh.VALUES[0];
    }

    static class OwnSixth {
        static int size() {
            return OwnSeventh.VALUES[1];
        }
    }

    static class OwnSeventh {
        static final int[] VALUES = {7, 8}; // alloc: int[] x1
    }

    public static void main(String[] args) throws Exception {
        ClassLoader loader = new Own(); // alloc: Loading$Own x1
        Class<?> first = Class.forName("Loading$OwnFirst", true, loader);
        int sum = (int) first.getDeclaredMethod("run").invoke(null); // alloc: java.lang.Class[] x1, java.lang.Object[] x1
        System.out.println("checksum " + (sum + asked));
    }
}
