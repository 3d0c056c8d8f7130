// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Calls that make something in ways that the JVM has code of its own for. The oracle knows how much; the annotations are of bytecodes alone. */
class Calls {
    static class Sheep implements Cloneable {
        long weight;

        @Override
        public Sheep clone() {
            try {
                return (Sheep) super.clone(); // unseen: Calls$Sheep x150, Calls$Lamb x150
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Inherits an overridden clone: its super.clone() makes nothing by itself. */
    static class Lamb extends Sheep {
        int age;

        @Override
        public Lamb clone() {
            return (Lamb) super.clone();
        }
    }

    static class Plain implements Cloneable {
        byte b;

        Object twin() throws CloneNotSupportedException {
            return clone(); // unseen: Calls$Plain x300
        }
    }

    /** Object's clone, through a class that does not declare it. */
    static class Child extends Plain {
        double d;

        @Override
        protected Object clone() throws CloneNotSupportedException {
            return super.clone(); // unseen: Calls$Child x300
        }
    }

    static class Named {
        final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            return "<" + name + ">";
        }
    }

    static int clones() throws CloneNotSupportedException {
        int[] ints = new int[3]; // alloc: int[] x1
        byte[] bytes = new byte[5]; // alloc: byte[] x1
        double[] doubles = {1, 2}; // alloc: double[] x1
        char[][] chars = new char[2][4]; // alloc: char[][] x1, char[] x2
        Sheep[] flock = {new Sheep(), new Lamb()}; // alloc: Calls$Sheep[] x1, Calls$Sheep x1, Calls$Lamb x1
        Plain plain = new Plain(), child = new Child(); // alloc: Calls$Plain x1, Calls$Child x1
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += ints.clone().length + bytes.clone().length + doubles.clone().length + chars.clone().length;
            sum += flock.clone().length + (flock[i % 2].clone() == null ? 1 : 0); // unseen: Calls$Sheep[] x300
            sum += plain.twin() == child.twin() ? 1 : 0;
        }
        return sum;
    }

    static int copies() {
        String[] strings = {"a", "b", "c"}; // alloc: java.lang.String[] x1
        int[] ints = new int[4]; // alloc: int[] x1
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += Arrays.copyOf(strings, i % 7).length + Arrays.copyOfRange(strings, 1, 3 + i % 5).length;
            Object[] objects = Arrays.copyOf(strings, 5, Object[].class);
            sum += objects.length + Arrays.copyOfRange(strings, 0, 2, Object[].class).length + Arrays.copyOf(ints, 5).length;
        }
        return sum;
    }

    @SuppressWarnings("deprecation")
    static int reflection() throws Exception {
        Constructor<Named> constructor = Named.class.getDeclaredConstructor(String.class); // alloc: java.lang.Class[] x1
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            Object[] arguments = {"x"}; // alloc: java.lang.Object[] x100
            sum += constructor.newInstance(arguments).name.length(); // unseen: Calls$Named x100
            sum += (int) Lamb.class.newInstance().weight; // unseen: Calls$Lamb x100
            sum += ((long[]) Array.newInstance(long.class, i % 5)).length + Array.getLength(Array.newInstance(Sheep.class, 3)); // unseen: Calls$Sheep[] x100
            sum += ((short[][]) Array.newInstance(short.class, 2, 3)).length; // alloc: int[] x100
        }
        return sum;
    }

    static int lambdas(String text, byte b, double d) {
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            int n = i;
            IntSupplier one = () -> n;
            IntSupplier bound = text::length;
            Supplier<String> many = () -> text + b + d + n;
            sum += one.getAsInt() + bound.getAsInt() + (i % 50 == 0 ? many.get().length() : 0);
        }
        return sum;
    }

    static int strings(String text, Object object, char c, boolean z, float f) {
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += (text + object).length() + ("" + text).length() + (text + "").length() + ("" + object).length();
            sum += ("n " + i + c + z + f + (long) i + (byte) i + 1.5).length() + ("€" + text).length() + (text + c).length();
            sum += ("" + i).length() + ("" + z).length() + ("" + c).length() + (i + "%").length();
            sum += text.concat("tail").length() + String.join("-", text, text).length(); // alloc: java.lang.CharSequence[] x300
            text = i % 100 == 0 ? "" : text;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int sum = clones() + copies() + reflection();
        sum += lambdas("text", (byte) 1, 0.5) + strings("text", new Named("object"), 'c', true, 2.5f); // alloc: Calls$Named x1
        System.out.println("checksum " + sum);
    }
}
