/** Calls native methods that make objects, each from a line of its own. */
class Natives {
    static final class Point {
        final int x;

        Point(int x) {
            this.x = x;
        }
    }

    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    static native Object object(int i);

    static native Object array(int i);

    static native String string(int i);

    static native void raise(int i);

    public static void main(String[] args) {
        System.load(args[0]);
        int sum = 0;
        for (int i = 0; i < 12_000; i++) {
            sum += ((Point) object(i)).x;
            sum += array(i % 40).getClass().getName().length();
            sum += string(i).length();
            try {
                raise(i);
            } catch (NullPointerException | Failure e) {
                sum += e.getMessage().length();
            }
        }
        System.out.println("checksum " + sum);
    }
}
