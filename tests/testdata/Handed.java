import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.function.Function;

/** Has the VM ask class loaders for classes, link, and say what classes have, as often as its argument says. */
class Handed {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Named {
        String value();
    }

    /** What is loaded again and again; it has another class loaded, and links lambdas. */
    public static class Plugin {
        @Named("a field")
        public List<String> list;
        int number;

        public Plugin() throws java.io.IOException {}

        public Plugin(int number, List<String> list) {
            this.number = number;
        }

        @Named("a method")
        public int method(@Named("a parameter") int number, List<Integer> numbers) {
            return new Other().value + number;
        }

        public static Object link(int n) {
            Function<Integer, Integer> plus = i -> i + n;
            Runnable nothing = () -> { };
            return plus.hashCode() + nothing.hashCode() == 0 ? plus : new Other();
        }

        void nothing() {}
    }

    static class Other {
        final int value = 1;
    }

    /** Defines both itself. The VM calls loadClass of one argument, which it inherits, or has. */
    static class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Handed$")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream in = Handed.class.getResourceAsStream(name + ".class")) {
                byte[] file = in.readAllBytes();
                return defineClass(name, file, 0, file.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static class Overriding extends Loader {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            return super.loadClass(name);
        }
    }

    static int sum;

    static void load(int i, ClassLoader loader) throws Exception {
        Class<?> plugin = i % 3 == 0 ? Class.forName("Handed$" + "Plugin", true, loader)
            : loader.loadClass(new StringBuilder("Handed$").append("Plugin").toString());
        sum += plugin.getDeclaredMethod("link", int.class).invoke(null, i).hashCode();
        sum += plugin.getDeclaredFields()[0].getName().length() + plugin.getDeclaredConstructors().length;
        for (java.lang.reflect.Method m : plugin.getDeclaredMethods()) {
            sum += m.getAnnotations().length + m.getGenericParameterTypes().length;
        }
        try {
            loader.loadClass("Missing".concat("Class"));
        } catch (ClassNotFoundException e) {
            sum++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            load(i, i % 2 == 0 ? new Loader() : new Overriding());
        }
        System.out.println("done");
    }
}
