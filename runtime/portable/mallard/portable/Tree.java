package mallard.portable;

/**
 * The contexts of one thread, below a root that stands for what is not counted. Nobody else writes to it while the
 * thread runs.
 */
final class Tree {
    /** How many methods have contexts, of which the last one has this number; 0: there are no contexts. */
    static final int METHODS = methods();

    /** The number of mallard.Context.current. Higher ones are transactions'. */
    static final int ASKING = METHODS + 1;

    /** Contexts of all threads take at most this part of what the heap may have: the program needs the rest. */
    private static final int SHARE = 16;

    /** Bytes that a tree takes at a time. */
    private static final long PORTION = 1 << 14;

    /** Callees of a slot that are looked through. */
    private static final int MOST_CALLEES = 1 << 16;

    /** Frames that are kept of a stack. */
    private static final int KEPT = 16;

    private static final long[] NO_COUNTERS = new long[0];
    private static final long NODE = Sizes.align(Sizes.HEADER + 12 * Sizes.REFERENCE + 5 * 4 + 2 * 8 + 1);

    /** Bytes that contexts may take, and have taken. These are estimates. */
    static final long LIMIT = limit();
    private static long taken;

    /** Invocations that had no context for lack of memory, at least so many. */
    static volatile long refused;

    /** The callees of nodes that have none, each with slots enough. */
    private static Node[] none = new Node[64];

    final Node root = new Node(this, null, 0, 0, 0, 0, null, null, none(0));

    final Node aside = new Node(this, null, 0, 0, 0, 0, null, null, none(0));

    /** The node of the innermost invocation. */
    Node current = root;

    /**
     * The innermost transaction that the thread has entered; null without. They stand beside the thread's first
     * methods.
     */
    Node inside;

    private long portion; // bytes that it may take without asking
    private long used; // by its nodes

    /** {@code mallard instrument} writes over this constant. */
    private static int methods() {
        return 0x6d616c6d;
    }

    /** The running thread's tree; null where there is no memory for one. */
    static Tree own() {
        try {
            return Own.OWN.get().tree;
        } catch (OutOfMemoryError | LinkageError e) {
            return null;
        }
    }

    /** Sees to it that this class is initialised, and Node. */
    static void load() {
        new Tree();
    }

    /** What the property mallard.contexts says, in MiB. */
    private static long limit() {
        try {
            String asked = System.getProperty("mallard.contexts");
            return asked != null ? Long.parseLong(asked) << 20 : Runtime.getRuntime().maxMemory() / SHARE;
        } catch (RuntimeException e) {
            return Runtime.getRuntime().maxMemory() / SHARE;
        }
    }

    static synchronized long taken() {
        return taken;
    }

    private static Node[] none(int slots) {
        Node[] none = Tree.none;
        if (slots >= none.length) {
            none = new Node[2 * slots];
            Tree.none = none;
        }
        return none;
    }

    /**
     * The running thread's frames. To ask for them may run classes of the JDK that count: what they do is nothing of
     * the program's.
     */
    private StackTraceElement[] frames() {
        Node before = current;
        current = aside;
        try {
            return new Throwable().getStackTrace();
        } finally {
            current = before;
        }
    }

    /** Whether the running thread is there. */
    static boolean isAside() {
        Tree tree = own();
        return tree != null && tree.current == tree.aside;
    }

    /** The innermost frames below those of an invocation that enters. */
    StackTraceElement[] below() {
        StackTraceElement[] all = frames();
        int first = Math.min(4, all.length); // frames, this method, Node.enterAny, who called it
        StackTraceElement[] below = new StackTraceElement[Math.min(KEPT, all.length - first)];
        System.arraycopy(all, first, below, 0, below.length);
        return below;
    }

    /**
     * How many frames are constructors of a class. The innermost ones are enough: those that are asked for are among
     * them.
     */
    int constructors(String type) {
        int n = 0;
        for (StackTraceElement frame : frames()) {
            n += frame.getMethodName().equals("<init>") && frame.getClassName().equals(type) ? 1 : 0;
        }
        return n;
    }

    /**
     * Finds a callee in a slot, or makes it, and makes it the first one there. Null without any memory, and for what is
     * not the program's.
     */
    Node callee(Node caller, int slot, int method, int first, int slots, int counters, StackTraceElement[] from) {
        if (caller == aside) {
            return null;
        }
        Node start = caller.callees[slot];
        Node before = null;
        int steps = 0;
        for (Node node = start; node != null && steps < MOST_CALLEES; node = node.sibling) {
            if (node.method == method && comesFrom(node.from, from)) {
                if (before != null) {
                    before.sibling = node.sibling;
                    node.sibling = start;
                    caller.callees[slot] = node;
                }
                return node;
            }
            before = node;
            steps++;
        }
        try {
            boolean known = caller.counters != null || caller == root;
            if (!known || !take(size(slots, counters))) {
                refused++;
                return new Node(this, caller, slot, method, first, slots, null, from, none(slots));
            }
            Node node = new Node(this, caller, slot, method, first, slots, counters == 0 ? NO_COUNTERS
                    : new long[counters], from, none(slots));
            put(caller, slot, node);
            return node;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** Whether two lists of frames begin with the same line. */
    private static boolean comesFrom(StackTraceElement[] a, StackTraceElement[] b) {
        if (a == null || b == null || a.length == 0 || b.length == 0) {
            return a == b || a != null && b != null && a.length == b.length;
        }
        return a[0].getLineNumber() == b[0].getLineNumber() && a[0].getMethodName().equals(b[0].getMethodName()) &&
                a[0].getClassName().equals(b[0].getClassName());
    }

    /**
     * Gives the node that stands for the context of a node of this or another tree, but below a node of this one
     * instead of its root. What is missing is made, in another tree without counters. Null without any memory or stack.
     */
    Node mirror(Node node, Node top) {
        int depth = 0;
        for (Node at = node; at.caller != null; at = at.caller) {
            depth++;
        }
        try {
            Node[] path = new Node[depth];
            for (Node at = node; depth > 0; at = at.caller) {
                path[--depth] = at;
            }
            Node to = top;
            for (Node from : path) {
                to = to == null ? null : callee(to, from.slot, from.method, from.first, from.slots, from.tree == this
                        ? from.counters.length : 0, from.from);
            }
            return to;
        } catch (OutOfMemoryError | StackOverflowError e) {
            return null;
        }
    }

    private static void put(Node caller, int slot, Node node) {
        if (!caller.calls) {
            caller.callees = new Node[caller.slots + 1];
            caller.calls = true;
        }
        node.sibling = caller.callees[slot];
        caller.callees[slot] = node;
    }

    /** What a node takes, with the callees that it may come to have. */
    private static long size(int slots, int counters) {
        return NODE + Sizes.align(Sizes.BASE_REF + Sizes.REFERENCE * (slots + 1)) + (counters == 0 ? 0
                : Sizes.align(Sizes.BASE8 + 8L * counters));
    }

    private boolean take(long bytes) {
        if (portion < bytes && !more(Math.max(bytes, PORTION)) && !more(bytes)) {
            return false;
        }
        portion -= bytes;
        used += bytes;
        return true;
    }

    private boolean more(long bytes) {
        synchronized (Tree.class) {
            if (taken + bytes > LIMIT) {
                return false;
            }
            taken += bytes;
        }
        portion += bytes;
        return true;
    }

    /** Adds the contexts of a thread that has ended, and takes over its memory. */
    void add(Tree other) {
        portion += other.portion + other.used;
        other.portion = other.used = 0;
        addAll(other);
        synchronized (Tree.class) {
            taken -= portion;
        }
        portion = 0;
    }

    /** Adds the contexts of a thread that may be running, whatever memory it takes. */
    void addLast(Tree other) {
        portion = Long.MAX_VALUE / 2;
        addAll(other);
    }

    private void addAll(Tree other) {
        Node from = other.root;
        Node to = root;
        for (Node next = from.next(); next != null; next = from.next()) {
            for (; next.caller != from; from = from.caller) {
                to = to.caller;
            }
            from = next;
            to = callee(to, from.slot, from.method, from.first, from.slots, from.counters.length, from.from);
            if (to == null) {
                Counters.lost++; // at least
                return;
            }
            to.entered += from.entered;
            to.id = from.id != 0 ? from.id : to.id;
            for (int i = 0; i < from.counters.length; i++) {
                to.counters[i] += from.counters[i];
            }
            for (Node.OfClass made = from.made; made != null; made = made.next) {
                to.add(made.counter, made.n, made.elements, made.bytes);
            }
        }
    }
}
