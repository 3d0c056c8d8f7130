import java.lang.reflect.InvocationTargetException;

/**
 * ROUNDS PROGRAM... LAST: runs programs one after the other, some times over, and at the end the last one, which may end
 * the VM. Each is in a thread of its own, so that what it makes is made after the VM has started.
 */
class InNewThread {
    public static void main(String[] args) throws Exception {
        for (int round = Integer.parseInt(args[0]); round > 0; round--)
            for (int i = 1; i < args.length - 1; i++) run(args[i]);
        run(args[args.length - 1]);
    }

    private static void run(String program) throws Exception {
        var main = Class.forName(program).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        Thread thread = new Thread(() -> {
            try {
                main.invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException e) {
                System.err.println(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }, "program");
        thread.start();
        thread.join();
    }
}
