package java.lang;

/** What code calls that tells what it reads; here nobody listens. */
public final class $MallardWatch {
    private $MallardWatch() {}

    public static int read(Object from, int value, int place) {
        return value;
    }

    public static int read(Object from, int index, int value, int place) {
        return value;
    }

    public static long read(Object from, long value, int place) {
        return value;
    }

    public static long read(Object from, int index, long value, int place) {
        return value;
    }

    public static float read(Object from, float value, int place) {
        return value;
    }

    public static float read(Object from, int index, float value, int place) {
        return value;
    }

    public static double read(Object from, double value, int place) {
        return value;
    }

    public static double read(Object from, int index, double value, int place) {
        return value;
    }

    public static void read(Object from, Object value, int place) {}

    public static void read(Object from, int index, Object value, int place) {}
}
