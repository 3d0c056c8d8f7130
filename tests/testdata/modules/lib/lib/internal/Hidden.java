package lib.internal;

public class Hidden {
    public final int one;

    public Hidden(int one) {
        this.one = one;
    }
}
