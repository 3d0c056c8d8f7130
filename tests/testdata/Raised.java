/** Exceptions that the VM, native code and Java code make in turns, with no call between some of them. Prints the stack of each. */
class Raised {
    static final int[] FOUR = new int[4];
    static final Object SAME = FOUR;

    static void print(Throwable e) {
        StringBuilder line = new StringBuilder();
        for (StackTraceElement at : e.getStackTrace()) {
            line.append(at.getClassName()).append('.').append(at.getMethodName()).append(':').append(at.getLineNumber()).append(';');
        }
        System.out.println(line);
    }

    static void nativeThenVM() {
        Throwable first = null;
        Throwable second = null;
        Throwable third = null;
        int[] four = FOUR;
        try {
            System.arraycopy(SAME, 0, SAME, 3, 99);
        } catch (ArrayIndexOutOfBoundsException e) {
            first = e;
        }
        try {
            four[99]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            second = e;
        }
        try {
            four[98]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            third = e;
        }
        print(first);
        print(second);
        print(third);
    }

    static void javaThenVM() {
        Throwable first = new ArrayIndexOutOfBoundsException("made here");
        Throwable second = null;
        int[] four = FOUR;
        try {
            four[99]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            second = e;
        }
        print(first);
        print(second);
    }

    static void deepThenHere() {
        Throwable first = null;
        Throwable second = null;
        int[] four = FOUR;
        try {
            copy();
        } catch (ArrayIndexOutOfBoundsException e) {
            first = e;
        }
        try {
            four[97]++;
        } catch (ArrayIndexOutOfBoundsException e) {
            second = e;
        }
        print(first);
        print(second);
    }

    static void copy() {
        System.arraycopy(SAME, 0, SAME, 3, 99);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 12; i++) {
            nativeThenVM();
            deepThenHere();
            if (args.length > 0) {
                javaThenVM();
            }
        }
    }
}
