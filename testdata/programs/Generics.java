// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.Arrays;
import java.util.Comparator;

/** Generic containers, bridge methods, bounded types, varargs. */
class Generics {
    static final class Stack<T> {
        private Object[] items = new Object[2]; // alloc: java.lang.Object[] x3
        private int size;

        void push(T item) {
            if (size == items.length) {
                Object[] larger = new Object[2 * size]; // alloc: java.lang.Object[] x10
                System.arraycopy(items, 0, larger, 0, size);
                items = larger;
            }
            items[size++] = item;
        }

        @SuppressWarnings("unchecked")
        T pop() {
            return (T) items[--size];
        }
    }

    static final class Pair<A extends Comparable<A>, B> implements Comparable<Pair<A, B>> {
        final A first;
        final B second;

        Pair(A first, B second) {
            this.first = first;
            this.second = second;
        }

        <C> Pair<A, C> with(C other) {
            return new Pair<>(first, other); // alloc: Generics$Pair x16
        }

        /** compareTo(Object) is a bridge to this. */
        @Override
        public int compareTo(Pair<A, B> other) {
            return first.compareTo(other.first);
        }
    }

    @SafeVarargs
    static <T extends Comparable<T>> T largest(T... candidates) {
        T best = candidates[0];
        for (T candidate : candidates) {
            best = candidate.compareTo(best) > 0 ? candidate : best;
        }
        return best;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int size : new int[] {3, 20, 40}) { // alloc: int[] x1
            Stack<Integer> stack = new Stack<>(); // alloc: Generics$Stack x3
            for (int i = 0; i < size; i++) {
                stack.push(i);
            }
            sum += stack.pop();
        }
        @SuppressWarnings({"unchecked", "rawtypes"})
        Pair<Integer, String>[] pairs = new Pair[16]; // alloc: Generics$Pair[] x1
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = new Pair<>(i * 7 % 16, "p"); // alloc: Generics$Pair x16
            sum += pairs[i].with(i).second;
        }
        Arrays.sort(pairs, Comparator.reverseOrder());
        sum += pairs[0].first;
        sum += largest(3, 9, 2); // alloc: java.lang.Integer[] x1
        sum += largest(pairs).first;
        sum += largest("a", "b").length(); // alloc: java.lang.String[] x1
        System.out.println("checksum " + sum);
    }
}
