// threads: single, crosses: yes, min-jdk: 17, exit: 0, deterministic: yes

import java.lang.reflect.Constructor;
import java.util.function.Supplier;

/** Objects for which calls of constructors give the right number, and one class for each way in which they do not. */
class ConstructorRule {
    static class Plain {}

    static class Base {
        final Object part;

        Base() {
            this(new Object()); // alloc: java.lang.Object x40
        }

        Base(Object part) {
            this.part = part;
        }

        int hash() {
            return part == null ? 0 : 1;
        }
    }

    static class Derived extends Base {
        Derived() {}

        Derived(int n) {
            this(n > 2 ? new Plain() : new Base(null), n); // alloc: ConstructorRule$Plain x7, ConstructorRule$Base x3
        }

        Derived(Object part, int n) {
            super(n % 2 == 0 ? part : new Base(part)); // alloc: ConstructorRule$Base x5
        }
    }

    class Inner {
        final Plain[] parts = {new Plain(), new Plain()}; // alloc: ConstructorRule$Plain[] x10, ConstructorRule$Plain x20

        int hash() {
            return parts.length + ConstructorRule.this.number;
        }
    }

    /** Its constructor throws when the object is one. */
    static class Late extends Base {
        Late(int n) {
            fail(n);
        }
    }

    /** Its constructor throws before that. */
    static class Early extends Parent {
        Early(int n) {
            super(fail(n));
        }
    }

    static class Parent {
        Parent(int n) {}
    }

    /** What its constructor is to be given is never made. */
    static class Never {
        Never(int n) {}
    }

    static class Copied implements Cloneable {
        Copied copy() throws CloneNotSupportedException {
            return (Copied) super.clone(); // unseen: ConstructorRule$Copied x10
        }
    }

    static class Reflected {}

    static class Referred {}

    int number = 1;

    static int fail(int n) {
        if (n % 2 == 0) {
            throw new IllegalStateException(); // alloc: java.lang.IllegalStateException x15
        }
        return n;
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        ConstructorRule outer = new ConstructorRule(); // alloc: ConstructorRule x1
        Copied original = new Copied(); // alloc: ConstructorRule$Copied x1
        Supplier<Referred> reference = Referred::new; // unseen: ConstructorRule$Referred x10
        for (int i = 0; i < 10; i++) {
            sum += new Plain() == null ? 1 : 0; // alloc: ConstructorRule$Plain x10
            sum += new Base().hash() + new Derived().hash() + new Derived(i).hash(); // alloc: ConstructorRule$Base x10, ConstructorRule$Derived x20
            sum += outer.new Inner().hash(); // alloc: ConstructorRule$Inner x10
            sum += new Base() { // alloc: ConstructorRule$1 x10
                @Override
                int hash() {
                    return super.hash() + outer.number;
                }
            }.hash();
            try {
                sum += new Late(i).hash(); // alloc: ConstructorRule$Late x10
            } catch (IllegalStateException late) {
                sum++;
            }
            try {
                new Early(i); // alloc: ConstructorRule$Early x10
            } catch (IllegalStateException early) {
                sum++;
            }
            try {
                new Never(fail(i)); // alloc: ConstructorRule$Never x10
            } catch (IllegalStateException never) {
                sum++;
            }
            sum += original.copy() == original ? 1 : 2;
            sum += reference.get() == null ? 1 : 2;
        }
        Constructor<Reflected> constructor = Reflected.class.getDeclaredConstructor(); // alloc: java.lang.Class[] x1
        Object[] nothing = {}; // alloc: java.lang.Object[] x1
        for (int i = 0; i < 5; i++) {
            Reflected reflected = constructor.newInstance(nothing); // unseen: ConstructorRule$Reflected x5
            sum += reflected == null ? 1 : 2;
        }
        System.out.println("checksum " + sum);
    }
}
