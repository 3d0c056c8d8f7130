// threads: single, crosses: no, min-jdk: 17, release: 8, exit: 0, deterministic: yes

/** Class-file version 52, which has no nest mates: javac reaches private members through synthetic methods and constructors. */
class OldInnerClasses {
    private static int made;

    private final class Part {
        private final int[] data;

        private Part(int size) {
            data = new int[size]; // alloc: int[] x40
            made++;
        }

        private Part split() {
            return new Part(data.length / 2); // alloc: OldInnerClasses$Part x20
        }
    }

    private interface Maker {
        Part make(int size);
    }

    private int use(Maker maker) {
        int sum = 0;
        for (int i = 0; i < 20; i++) {
            Part part = maker.make(i);
            sum += part.data.length + part.split().data.length;
        }
        return sum;
    }

    public static void main(String[] args) {
        OldInnerClasses outer = new OldInnerClasses(); // alloc: OldInnerClasses x1
        Maker maker = new Maker() { // alloc: OldInnerClasses$1 x1
            @Override
            public Part make(int size) {
                return outer.new Part(size); // alloc: OldInnerClasses$Part x20
            }
        };
        int sum = outer.use(maker) + made;
        System.out.println(new StringBuilder("checksum ").append(sum)); // alloc: java.lang.StringBuilder x1
    }
}
