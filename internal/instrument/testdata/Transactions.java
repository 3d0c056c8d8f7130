import mallard.Context;

/** Methods that show what stands around calls that begin and end transactions. */
class Transactions {
    /** Nothing is owed where the context changes, so that one path has three counters. */
    static Object counted() {
        Object before = new Object();
        Context.begin("a");
        Object inside = new Object();
        Context.end();
        return new Object();
    }

    /** A handler goes on in the context in which the exception came. */
    static void handled(String name) {
        Context.begin(name);
        try {
            name.notify();
        } finally {
            Context.end();
        }
    }

    /** The same for a thread. */
    static Object interceptor(boolean before) {
        Object it = new Object();
        if (before) {
            Context.enter("b");
        } else {
            Context.exit("b");
        }
        return new Object();
    }
}
