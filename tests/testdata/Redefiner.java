import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Java agent beside ours: it looks at every class, retransforms all that it can, and redefines Redefined between runs of it and of methods of the JDK. */
public class Redefiner {
    static Instrumentation instrumentation;

    static class Redefined {
        static int work() {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum += new int[7].length;
            }
            return sum;
        }

        /** Goes through methods of the JDK that allocate and call back. */
        static int collect() {
            Map<String, List<Integer>> lists = new TreeMap<>(Comparator.reverseOrder());
            for (int i = 0; i < 100; i++) {
                lists.computeIfAbsent("list " + i % 7, name -> new ArrayList<>()).add(1000 + i);
            }
            int sum = 0;
            for (List<Integer> list : lists.values()) {
                list.sort((a, b) -> b - a);
                sum += list.get(0);
            }
            return sum;
        }
    }

    public static void premain(String options, Instrumentation i) {
        instrumentation = i;
        i.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> c, ProtectionDomain domain, byte[] bytes) {
                return bytes.clone(); // "changed"
            }
        }, true);
    }

    static void redefine() throws Exception {
        try (var in = Redefiner.class.getResourceAsStream("Redefiner$Redefined.class")) {
            instrumentation.redefineClasses(new ClassDefinition(Redefined.class, in.readAllBytes()));
        }
    }

    static void retransform() throws Exception {
        for (Class<?> c : instrumentation.getAllLoadedClasses()) {
            if (instrumentation.isModifiableClass(c) && !c.isHidden()) {
                try {
                    instrumentation.retransformClasses(c);
                } catch (UnsupportedOperationException e) {
                    System.out.println(c + ": " + e.getMessage());
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int sum = Redefined.work() + Redefined.collect();
        redefine();
        sum += Redefined.work() + Redefined.collect();
        retransform();
        sum += Redefined.work() + Redefined.collect();
        redefine();
        sum += Redefined.work() + Redefined.collect();
        System.out.println("sum " + sum);
    }
}
