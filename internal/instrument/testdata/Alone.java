import mallard.Context;

/** Methods that show what stands in jars that record themselves. */
class Alone {
    private final long asked;

    /** The code before super() has a guard of its own. */
    Alone(String name) {
        super();
        asked = Context.current();
        Context.begin(name);
        new Object();
        Context.end();
    }

    /** Only what is in the thread changes. */
    static void interceptor(String name) {
        Context.enter(name);
        Context.exit(name);
    }
}
