package mallard.portable;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Named transactions: what stands behind calls of mallard.Context.begin and end, enter and exit.
 *
 * <p>The invocation that begins one goes on in another node. The slot of that call leads to the transaction's node, and
 * the only slot of that to a node of the invocation's own method. The code has it in its variable, and knows by {@link
 * Node#back} where it was called from; so nothing is to be done when it is left, by return or by an exception.
 *
 * <p>What a thread does after entering one is counted in other nodes, below that of the transaction, which stands
 * beside the thread's first methods ({@link Node#inside}). Invocations keep the nodes that they have.
 */
public final class Transactions {
    /**
     * Names that there may be, characters of one, and how many a thread may have entered and not left. More would be
     * those of a program that forgets to leave them.
     */
    static final int MOST = 4096;
    private static final int LONGEST = 256;
    static final int DEEPEST = 16;

    /** All names in the order of their numbers. */
    private static final ArrayList<String> names = new ArrayList<String>();
    private static final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<String, Integer>();

    /** Whether a thread was in so many, and was to enter one more. */
    static volatile boolean full;

    private Transactions() {}

    /** Sees to it that this class is initialised. */
    static void load() {}

    /** Begins a transaction in an invocation, by the call in a slot. Gives the node in which it goes on. */
    public static Node begin(String name, Node node, int slot) {
        if (node == null) {
            return null;
        }
        Tree tree = node.tree;
        int number = number(name, tree);
        Node transaction = number == 0 ? null : tree.callee(node, slot, number, 0, 0, 0, null);
        if (transaction == null) {
            return node;
        }
        Node since = tree.callee(transaction, 0, node.method, node.first, node.slots, node.counters == null ? 0
                : node.counters.length, null);
        if (since == null) {
            return node;
        }
        transaction.inside().entered++;
        return since.takeOver(node);
    }

    /** Ends the innermost transaction of an invocation. Gives the node in which it goes on. */
    public static Node end(Node node) {
        return node == null || !node.caller.isTransaction() ? node : node.caller.caller.takeOver(node);
    }

    /** The thread of an invocation enters a transaction. */
    public static void enter(String name, Node node) {
        if (node == null) {
            return;
        }
        Tree tree = node.tree;
        int depth = 0;
        for (Node in = tree.inside; in != null; in = around(in)) {
            depth++;
        }
        if (depth == DEEPEST) {
            full = true;
            return;
        }
        int number = number(name, tree);
        Node transaction = number == 0 ? null : tree.callee(depth == 0 ? tree.root : tree.inside, 0, number, 0, 0, 0,
                null);
        if (transaction != null && transaction.counters != null) {
            transaction.entered++;
            tree.inside = transaction;
        }
    }

    /** The thread of an invocation leaves the innermost transaction of a name, and those that it has entered since. */
    public static void exit(String name, Node node) {
        Node in = node == null ? null : node.tree.inside;
        int number = in == null ? 0 : number(name, node.tree);
        while (in != null && in.method != number) {
            in = around(in);
        }
        if (in != null) {
            node.tree.inside = around(in);
        }
    }

    private static Node around(Node transaction) {
        return transaction.caller == transaction.tree.root ? null : transaction.caller;
    }

    /**
     * Gives the number of a name; 0 without memory. Classes of the JDK may count: what they do here is nothing of the
     * program's.
     */
    private static int number(String name, Tree tree) {
        Node before = tree.current;
        tree.current = tree.aside;
        try {
            String known = name == null ? "null" : name.isEmpty() ? "(empty)" : name.length() > LONGEST
                    ? name.substring(0, LONGEST) : name;
            Integer number = numbers.get(known);
            return number != null ? number : add(known);
        } catch (OutOfMemoryError e) {
            return 0;
        } finally {
            tree.current = before;
        }
    }

    private static synchronized int add(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        boolean isOther = names.size() >= MOST;
        if (names.size() <= MOST) {
            names.add(isOther ? "[other]" : name);
        }
        int number = Tree.ASKING + names.size();
        if (!isOther) {
            numbers.put(name, number);
        }
        return number;
    }

    /** The name of the transaction with the i-th number; null without. */
    static synchronized String name(int i) {
        return i < names.size() ? names.get(i) : null;
    }
}
