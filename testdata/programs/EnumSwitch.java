// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.math.RoundingMode;

/** A switch over an enum of another compilation: javac keeps an int[] of its ordinals in a synthetic class. */
class EnumSwitch {
    static int weigh(RoundingMode mode) {
        switch (mode) { // alloc: int[] x1
            case UP:
                return new long[2].length; // alloc: long[] x10
            case DOWN:
                return new short[3].length; // alloc: short[] x10
            default:
                return new char[4].length; // alloc: char[] x10
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += weigh(RoundingMode.UP) + weigh(RoundingMode.DOWN) + weigh(RoundingMode.FLOOR);
        }
        System.out.println("checksum " + sum);
    }
}
