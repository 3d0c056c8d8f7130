// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lambdas and method references whose bodies allocate; the objects of lambdas themselves are the JVM's and not annotated. */
class Lambdas {
    static final class Box {
        final int value;

        Box(int value) {
            this.value = value;
        }

        Box twice() {
            return new Box(2 * value); // alloc: Lambdas$Box x50
        }
    }

    static int repeat(int times, Supplier<Box> supplier) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum += supplier.get().value;
        }
        return sum;
    }

    static Function<Integer, Function<Integer, Box>> curried() {
        return a -> b -> new Box(a * b); // alloc: Lambdas$Box x12
    }

    public static void main(String[] args) {
        int sum = repeat(40, () -> new Box(3)); // alloc: Lambdas$Box x40
        int captured = args.length + 5;
        sum += repeat(7, () -> {
            int[] scratch = new int[captured]; // alloc: int[] x7
            return new Box(scratch.length); // alloc: Lambdas$Box x7
        });
        // javac writes a synthetic method for an array constructor; it stands on this line.
        Function<Integer, int[]> row = int[]::new; // alloc: int[] x1
        sum += row.apply(4).length;
        List<Box> boxes = IntStream.range(0, 50)
                .mapToObj(i -> new Box(i)) // alloc: Lambdas$Box x50
                .map(Box::twice) // unseen: java.util.ArrayList x1
                .collect(Collectors.toCollection(ArrayList::new));
        for (Box box : boxes) {
            sum += box.value;
        }
        for (int i = 0; i < 12; i++) {
            sum += curried().apply(i).apply(2).value;
        }
        IntBinaryOperator operator = (a, b) -> a > b ? new char[a].length : new char[b].length; // alloc: char[] x9
        for (int i = 0; i < 9; i++) {
            sum += operator.applyAsInt(i, 4);
        }
        System.out.println("checksum " + sum);
    }
}
