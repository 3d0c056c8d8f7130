// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Allocation behind every kind of branch: if, ternary, all forms of switch, early return, short circuit. */
class Branches {
    enum Color { // alloc: Branches$Color[] x1
        RED, // alloc: Branches$Color x1
        GREEN, // alloc: Branches$Color x1
        BLUE // alloc: Branches$Color x1
    }

    static class Shape {
        int size() {
            return 1;
        }
    }

    static final class Circle extends Shape {
        @Override
        int size() {
            return 2;
        }
    }

    static final class Square extends Shape {
        @Override
        int size() {
            return 3;
        }
    }

    /** tableswitch with fall-through between cases and two labels on one target. */
    static int table(int n) {
        int sum = 0;
        switch (n % 6) {
            case 0:
                sum += new Circle().size(); // alloc: Branches$Circle x10
            case 1:
                sum += new Square().size(); // alloc: Branches$Square x20
                break;
            case 2:
            case 3:
                sum += new Shape().size(); // alloc: Branches$Shape x20
                break;
            case 4:
                return sum + new int[n & 7].length; // alloc: int[] x10
            default:
                sum++;
        }
        return sum + new byte[4].length; // alloc: byte[] x50
    }

    /** lookupswitch without default. */
    static int lookup(int n) {
        int sum = 0;
        switch (n) {
            case 1:
                sum = new Circle().size(); // alloc: Branches$Circle x1
                break;
            case 1000:
                sum = new Square().size(); // never reached
                break;
            case 17:
                return 0;
        }
        return sum;
    }

    static int byString(String word) {
        return switch (word) {
            case "circle" -> new Circle().size(); // alloc: Branches$Circle x3
            case "square" -> new Square().size(); // alloc: Branches$Square x2
            default -> new Shape().size(); // alloc: Branches$Shape x1
        };
    }

    static Shape byOrdinal(Color color) {
        return switch (color.ordinal()) {
            case 0 -> new Circle(); // alloc: Branches$Circle x4
            case 1 -> {
                Shape first = new Square(); // alloc: Branches$Square x4
                yield first.size() > 5 ? new Shape() : first;
            }
            default -> null;
        };
    }

    static int nestedIf(int a, int b) {
        if (a > b) {
            if (a > 2 * b) {
                return new Circle().size(); // alloc: Branches$Circle x16
            }
            Shape shape = new Shape(); // alloc: Branches$Shape x12
            if (b == 0) {
                return 0;
            }
            return shape.size() + new Square().size(); // alloc: Branches$Square x12
        } else if (a == b && new Square().size() == 3) { // alloc: Branches$Square x8
            return 1;
        }
        return a == 0 || new Shape().size() > 1 ? 5 : 6; // alloc: Branches$Shape x21
    }

    /** Branches that join and part again: the arms' allocations differ in type and number. */
    static int diamonds(int bits) {
        Shape first = (bits & 1) != 0 ? new Circle() : new Square(); // alloc: Branches$Circle x16, Branches$Square x16
        int sum = first.size();
        if ((bits & 2) != 0) {
            sum += new Shape().size() + new Shape().size(); // alloc: Branches$Shape x32
        }
        sum += (bits & 4) != 0 ? new Circle().size() : 0; // alloc: Branches$Circle x16
        if ((bits & 24) == 24) {
            return sum + new Square().size(); // alloc: Branches$Square x8
        }
        return sum;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 60; i++) {
            sum += table(i);
        }
        for (int i = 0; i < 20; i++) {
            sum += lookup(i);
        }
        for (String word : "circle square circle star square circle".split(" ")) {
            sum += byString(word);
        }
        for (int i = 0; i < 4; i++) {
            for (Color color : new Color[] {Color.RED, Color.GREEN, Color.BLUE}) { // alloc: Branches$Color[] x4
                Shape shape = byOrdinal(color);
                sum += shape == null ? 0 : shape.size();
            }
        }
        for (int a = 0; a < 8; a++) {
            for (int b = 0; b < 8; b++) {
                sum += nestedIf(a, b);
            }
        }
        for (int bits = 0; bits < 32; bits++) {
            sum += diamonds(bits);
        }
        System.out.println("checksum " + sum);
    }
}
