import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Objects that are alive for reasons that tests know. Arguments: nodes of a long list, elements of a large array. */
public class Alive {
    static class Cached {}
    static class Heard {}
    static class OfThread {}
    public static class OfClass { public OfClass() {} }
    static class OfFrame {}
    static class OfSoft { Object below = new BelowSoft(); }
    static class BelowSoft {}
    static class OfWeak {}
    static class InArray {}
    static class Shared {}
    static class One { Object of; One(Object of) { this.of = of; } }
    static class Other { Object of; Other(Object of) { this.of = of; } }
    static class Node { Node next; Node(Node next) { this.next = next; } }

    interface Listener {}

    /** Whoever listens is kept by whom it listens to. */
    static class Window {
        final Heard heard = new Heard();
        Listener listener() {
            return new Listener() { public String toString() { return "" + heard; } };
        }
    }
    static class Bus {
        final List<Listener> listeners = new CopyOnWriteArrayList<>();
    }

    /** What a loader of its own loads, which an object that stays keeps. */
    public static class Plugin {
        static Object[] kept = {new OfClass(), new OfClass()};
    }
    static class Loader extends ClassLoader {
        Loader() { super(Alive.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Alive$Plugin")) return super.loadClass(name, resolve);
            try (InputStream in = Alive.class.getResourceAsStream("/" + name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static final Map<Integer, Object> cache = new HashMap<>();
    static final Bus bus = new Bus();
    static final List<Object> plugins = new ArrayList<>();
    static final ThreadLocal<Object> local = new ThreadLocal<>();
    static final LinkedList<byte[]> list = new LinkedList<>();
    static Object one, other, soft, weak, large;
    static Node nodes;

    static void park(Object mine) {
        local.set(new OfThread());
        synchronized (mine) {
            for (;;) {
                try {
                    mine.wait();
                } catch (InterruptedException e) {
                    System.out.println(mine);
                }
            }
        }
    }

    /** Apart, so that no local variable of main holds any of it. */
    static void fill(int count, int length) throws Exception {
        for (int i = 0; i < 1000; i++) cache.put(i, new Cached());
        for (int i = 0; i < 10; i++) bus.listeners.add(new Window().listener());
        plugins.add(new Loader().loadClass("Alive$Plugin").getConstructor().newInstance());
        for (int i = 0; i < 1000; i++) list.add(new byte[100]);
        Object shared = new Shared();
        one = new One(shared);
        other = new Other(shared);
        soft = new SoftReference<>(new OfSoft());
        weak = new WeakReference<>(new OfWeak());
        for (int i = count; i > 0; i--) nodes = new Node(nodes);
        Object[] elements = new Object[length];
        for (int i = 0; i < elements.length; i += 3) elements[i] = new InArray();
        large = elements;
    }

    public static void main(String[] args) throws Exception {
        fill(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        Thread worker = new Thread(() -> park(new OfFrame()), "worker");
        worker.setDaemon(true);
        worker.start();
        while (worker.getState() != Thread.State.WAITING) Thread.onSpinWait();
        Class.forName("java.lang.Shutdown"); // which comes at the end anyway
        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        runtime.halt(0);
    }
}
