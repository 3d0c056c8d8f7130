package mallard.portable;

/**
 * The contexts that the program has asked for, of all threads, in one tree, from which they have numbers: so the same
 * chain of calls has the same number in each thread.
 */
final class Asked {
    static final Tree tree = new Tree();

    private static long last;

    private Asked() {}

    /** Sees to it that this class is initialised. */
    static void load() {}

    /**
     * Gives the number of what is called by a slot of a node; 0 without memory. In the thread's own tree it is kept in
     * a node of the method that asks.
     */
    static long number(Node node, int slot) {
        Node asking = node.tree.callee(node, slot, Tree.ASKING, 0, 0, 0, null);
        if (asking == null || asking.counters == null) {
            return 0;
        }
        if (asking.id == 0) {
            asking.id = find(asking);
        }
        return asking.id;
    }

    private static synchronized long find(Node asking) {
        Node found = tree.mirror(asking, tree.root);
        if (found == null || found.counters == null) {
            return 0;
        }
        if (found.id == 0) {
            found.id = ++last;
        }
        return found.id;
    }
}
