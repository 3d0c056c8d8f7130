import java.lang.invoke.MethodHandles;
import java.util.function.Supplier;

/** Hides a class that many times, and lets each copy make an array. */
class Hide {
    static class Template implements Supplier<Object> {
        @Override
        public Object get() {
            return new int[3];
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (var in = Hide.class.getResourceAsStream("Hide$Template.class")) {
            bytes = in.readAllBytes();
        }
        int sum = 0;
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Class<?> copy = MethodHandles.lookup().defineHiddenClass(bytes, false).lookupClass();
            sum += ((int[]) ((Supplier<?>) copy.getDeclaredConstructor().newInstance()).get()).length;
        }
        System.out.println(sum);
    }
}
