// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

/** Objects that are to be finalized: the VM registers each while Object's constructor returns. */
class Finalized {
    static volatile int finalized;

    static final class Direct {
        final int number;

        Direct(int number) {
            this.number = number;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            finalized = number;
        }
    }

    static class Plain {
        final int[] values = new int[3]; // alloc: int[] x20
    }

    /** Its superclass's constructor calls Object's, and knows nothing of it. */
    static final class Derived extends Plain {
        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            finalized = values[0];
        }
    }

    static Object make(int i) {
        Object first = new Direct(i); // alloc: Finalized$Direct x20
        Object second = new Derived(); // alloc: Finalized$Derived x20
        return (i & 1) == 0 ? first : second;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            Object made = make(i);
            sum += made instanceof Direct ? ((Direct) made).number : 1;
        }
        System.out.println("checksum " + sum);
    }
}
