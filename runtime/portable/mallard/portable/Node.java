package mallard.portable;

/**
 * A context: the chain of calls from a thread's first method that counts to an invocation of one. This is what the code
 * of a program calls that {@code mallard instrument --track contexts} has made count:
 *
 * <pre>
 * Node node = Node.enter(METHOD, FIRST, SLOTS, COUNTERS);
 * try {
 *     Node.call(node, SLOT);       // before each call
 *     ...
 *     Counters.count(node, COUNTER);
 *     Node.leave(node);
 *     return;
 * } catch (Throwable any) {
 *     Node.thrown(node);
 *     throw any;
 * }
 * </pre>
 *
 * <p>Methods that do not count are in no context: what they call is called by the method that called them. A thread
 * knows the node of its innermost invocation, and that knows in which of its calls it is. Both are set, not added to,
 * so nothing that goes wrong lasts.
 *
 * <p>Null is the node where there is none: before counting begins, and where there is no memory even to say that there
 * is none.
 */
public final class Node {
    final Tree tree;
    final Node caller; // null: the root of the tree, which is no method's
    // the innermost node when the invocation has ended; the caller, but for what goes on in a transaction that it has
    // begun
    final Node back;
    final int slot; // of the caller
    final int method;
    final int first; // number of its first counter
    final int slots; // the last one
    final long[] counters; // null: what counts here belongs to no context
    // the innermost frames below the invocation's, where no call leads to it; otherwise null
    final StackTraceElement[] from;
    Node[] callees; // by slot, the first of a list
    Node sibling; // in that
    boolean calls; // callees is its own
    long id; // in the recording; 0 before it has one
    long entered;
    String self; // of a constructor: its class
    OfClass made; // what calls have made, by class; null without
    private Node lastTransaction; // that the thread had entered last when something was counted here, ...
    private Node there; // ... and the node in which it was

    /**
     * Slot of the last call; 0: none since the invocation began. Less than 0: it called super() or this(), which may
     * have left it by an exception, without a word.
     */
    private int at;
    private String chained; // whose constructor that called

    Node(Tree tree, Node caller, int slot, int method, int first, int slots, long[] counters, StackTraceElement[] from,
            Node[] callees) {
        this.tree = tree;
        this.caller = caller;
        this.slot = slot;
        this.method = method;
        this.first = first;
        this.slots = slots;
        this.counters = counters;
        this.from = from;
        this.callees = callees;
        back = caller != null && caller.isTransaction() ? caller.caller.back : caller;
    }

    /** What a call has made of a class, a list. */
    static final class OfClass {
        final int counter; // the first of three
        final OfClass next;
        long n;
        long elements;
        long bytes;

        OfClass(int counter, OfClass next) {
            this.counter = counter;
            this.next = next;
        }
    }

    /** Adds to counters that are not the method's own. */
    void add(int counter, long n, long elements, long bytes) {
        OfClass to = made;
        while (to != null && to.counter != counter) {
            to = to.next;
        }
        if (to == null) {
            try {
                to = new OfClass(counter, made);
                made = to;
            } catch (OutOfMemoryError e) {
                Counters.lost++;
                return;
            }
        }
        to.n += n;
        to.elements += elements;
        to.bytes += bytes;
    }

    /** Whether this stands for one in which what is below it was done. */
    boolean isTransaction() {
        return method > Tree.ASKING;
    }

    /**
     * The node in which this one's invocation counts: another one while its thread is in a transaction that it has
     * entered.
     */
    Node inside() {
        return tree.inside == null || counters == null ? this : mirror(tree.inside);
    }

    private Node mirror(Node transaction) {
        if (lastTransaction != transaction) {
            Node found = tree.mirror(this, transaction);
            if (found == null) {
                return tree.aside;
            }
            lastTransaction = transaction;
            there = found;
        }
        return there;
    }

    /** The invocation that has been in another node goes on in this. */
    Node takeOver(Node before) {
        at = 0;
        self = before.self;
        tree.current = this;
        return this;
    }

    /**
     * The running thread's tree; null before counting begins, and where there is no memory for one. Before, Tree may
     * not be touched.
     */
    private static Tree own() {
        return Gate.isOpen() ? Tree.own() : null;
    }

    /** Gives the node of the invocation that begins. A StackOverflowError here is as good as the invocation's own. */
    public static Node enter(int method, int first, int slots, int counters) {
        Tree tree = own();
        if (tree == null) {
            return null;
        }
        Node caller = tree.current;
        int at = caller.at;
        if (at < 0) {
            return begin(tree, caller.living().callee(method, first, slots, counters, null));
        }
        Node node = caller.callees[at];
        if (node == null || node.method != method) {
            node = caller.callee(method, first, slots, counters, null);
        }
        return begin(tree, node);
    }

    /**
     * As {@link #enter} for a method that the VM calls, between any two instructions: a static initialiser, loadClass.
     */
    public static Node enterAny(int method, int first, int slots, int counters) {
        Tree tree = own();
        return tree == null ? null : begin(tree, tree.current.living().callee(method, first, slots, counters,
                tree.below()));
    }

    /** As {@link #enter} for a constructor. */
    public static Node construct(int method, int first, int slots, int counters, String self) {
        Tree tree = own();
        if (tree == null) {
            return null;
        }
        Node caller = tree.current;
        if (caller.at >= 0) {
            Node node = caller.callees[caller.at];
            if (node != null && node.method == method) {
                return begin(tree, node);
            }
        }
        Node node = (caller.chained == self ? caller : caller.living()).callee(method, first, slots, counters, null);
        if (node != null) {
            node.self = self;
        }
        return begin(tree, node);
    }

    private Node callee(int method, int first, int slots, int counters, StackTraceElement[] from) {
        return tree.callee(this, Math.abs(at), method, first, slots, counters, from);
    }

    /**
     * The innermost invocation that is still there: this, or a caller if an exception has left it from where it called
     * super() or this().
     */
    private Node living() {
        Node node = this;
        while (node.at < 0 && node.self != null && tree.constructors(node.self) < node.constructors()) {
            node = node.back;
        }
        return node;
    }

    /** How many of this node and those of its callers are a constructor of the same class. */
    private int constructors() {
        int n = 0;
        for (Node node = this; node != null; node = node.back) {
            n += self.equals(node.self) ? 1 : 0;
        }
        return n;
    }

    private static Node begin(Tree tree, Node node) {
        if (node != null) {
            node.inside().entered++;
            node.at = 0;
            tree.current = node;
        }
        return node;
    }

    /** Says which call comes next. */
    public static void call(Node node, int slot) {
        if (node != null) {
            node.at = slot;
            Tree tree = node.tree;
            if (tree.current != node) { // something has left without saying so
                tree.current = node;
            }
        }
    }

    /** As {@link #call} for super() or this(), a constructor of that class. */
    public static void chain(Node node, int slot, String callee) {
        if (node != null) {
            call(node, -slot);
            node.chained = callee;
        }
    }

    /** Gives the number of the context of a call, by which the program asks for it; 0 without memory. */
    public static long current(Node node, int slot) {
        return node == null ? 0 : Asked.number(node.inside(), slot);
    }

    /** Says that an invocation returns. */
    public static void leave(Node node) {
        if (node != null) {
            node.tree.current = node.back;
        }
    }

    /** Says that an exception leaves an invocation. */
    public static void thrown(Node node) {
        if (node == null) {
            return;
        }
        Node caller = node.back;
        for (; caller.at < 0 && node.self != null && caller.chained == node.self; caller = node.back) {
            node = caller; // which it leaves as well
        }
        node.tree.current = caller;
    }

    /** The first callee in a slot or behind; null without. */
    private Node callee(int slot) {
        Node[] callees = this.callees;
        for (int i = slot; i <= slots && calls; i++) {
            if (callees[i] != null) {
                return callees[i];
            }
        }
        return null;
    }

    /** The node that comes after this one where callers come before what they call; null after the last. */
    Node next() {
        Node next = callee(0);
        for (Node node = this; next == null && node.caller != null; node = node.caller) {
            next = node.sibling != null ? node.sibling : node.caller.callee(node.slot + 1);
        }
        return next;
    }
}
