// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.Iterator;
import java.util.NoSuchElementException;

/** Member, local and anonymous classes, capturing their surroundings. */
class InnerClasses {
    private final int[] values;

    InnerClasses(int size) {
        values = new int[size]; // alloc: int[] x1
        for (int i = 0; i < size; i++) {
            values[i] = i * i;
        }
    }

    /** A member class: each instance holds the outer one. */
    final class Cursor implements Iterator<Integer> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < values.length;
        }

        @Override
        public Integer next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return values[next++];
        }
    }

    interface Operation {
        int apply(int argument);
    }

    Operation adder(int amount) {
        return new Operation() { // alloc: InnerClasses$1 x25
            private final int[] memory = {amount}; // alloc: int[] x25

            @Override
            public int apply(int argument) {
                return argument + memory[0] + values[1];
            }
        };
    }

    int local(int factor) {
        class Multiplier implements Operation {
            @Override
            public int apply(int argument) {
                return new long[factor].length * argument; // alloc: long[] x30
            }
        }
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += new Multiplier().apply(i); // alloc: InnerClasses$1Multiplier x30
        }
        return sum;
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses(12); // alloc: InnerClasses x1
        int sum = 0;
        for (int round = 0; round < 4; round++) {
            Iterator<Integer> cursor = outer.new Cursor(); // alloc: InnerClasses$Cursor x4
            while (cursor.hasNext()) {
                sum += cursor.next();
            }
        }
        for (int i = 0; i < 25; i++) {
            sum += outer.adder(i).apply(1);
        }
        for (int i = 0; i < 10; i++) {
            sum += outer.local(i);
        }
        System.out.println("checksum " + sum);
    }
}
