package mallard.portable;

import java.io.IOException;

/** Puts contexts into a recording. */
final class Contexts {
    private static final int METHOD_NAME = 17;
    private static final int CONTEXTS = 18;
    private static final int CONTEXT_COUNTS = 19;
    private static final int CONTEXT_TOTALS = 21;
    private static final int TRANSACTION = 22;

    /** Fields of that record that mean nothing here. */
    private static final int OTHER_TOTALS = 7;

    /** Contexts of a record. */
    private static final int MOST = 1024;

    private final Recording recording;
    private final String[][] methods = new String[Tree.METHODS + 1][]; // what facts say of them
    private final Node[] nodes = new Node[MOST];
    private long last = 1L << 40; // number of a context; those that the program has asked for have lower ones
    private int named; // transactions that are recorded

    Contexts(Recording recording) {
        this.recording = recording;
    }

    /**
     * Takes a line of the facts: the method with this number is in this class, and has this name; its calls are at
     * these bytecode indexes, on these lines.
     */
    void method(String[] line) throws IOException {
        line[2] = new String(line[2].getBytes("ISO-8859-1"), "UTF-8").replace('/', '.');
        line[3] = new String(line[3].getBytes("ISO-8859-1"), "UTF-8");
        methods[Integer.parseInt(line[1])] = line;
    }

    /** Records the contexts that the program has asked for. Nothing was counted in them. */
    void addAsked() throws IOException {
        synchronized (Asked.class) {
            Node node = Asked.tree.root.next();
            if (node != null) {
                recording.block.record(METHOD_NAME).unsigned(Tree.ASKING).unsigned(Recording.LOADER)
                    .string("mallard/Context")
                    .string("current").string("()J").string("").flag(false);
            }
            while (node != null) {
                int n = 0;
                for (; node != null && n < MOST; node = node.next()) {
                    node.id = node.id != 0 ? node.id : ++last;
                    nodes[n++] = node;
                }
                nodes(n);
                recording.next();
            }
        }
    }

    /** Records the contexts of a thread. */
    void add(Tree tree, int thread, long end) throws IOException {
        Node node = tree.root.next();
        while (node != null) {
            int n = 0;
            for (; node != null && n < MOST; node = node.next()) {
                if (node.id != 0 || node.method == Tree.ASKING) {
                    // it has been moved by a thread that is still running, or is among those that were asked for
                    continue;
                }
                node.id = ++last;
                nodes[n++] = node;
            }
            nodes(n);
            values(n, thread, end);
            recording.next();
        }
    }

    private void nodes(int n) throws IOException {
        for (String name = Transactions.name(named); name != null; name = Transactions.name(++named)) {
            recording.block.record(TRANSACTION).unsigned(Tree.ASKING + 1 + named).string(name);
        }
        Block block = recording.block.record(CONTEXTS).unsigned(n);
        long before = 0;
        for (int i = 0; i < n; before = nodes[i++].id) {
            block.signed(nodes[i].id - before);
        }
        before = 0;
        for (int i = 0; i < n; before = called(nodes[i++]).caller.id) {
            block.signed(called(nodes[i]).caller.id - before);
        }
        before = 0;
        for (int i = 0; i < n; before = nodes[i++].method) {
            block.signed(nodes[i].method - before);
        }
        before = 0;
        for (int i = 0; i < n; before = bytecode(nodes[i++])) {
            block.signed(bytecode(nodes[i]) - before);
        }
        before = 0;
        for (int i = 0; i < n; before = line(nodes[i++])) {
            block.signed(line(nodes[i]) - before);
        }
    }

    /** The context whose call leads to a context: of a transaction that of the invocation that has begun it. */
    private static Node called(Node node) {
        boolean isBegun = node.isTransaction() && node.caller.method != 0 && !node.caller.isTransaction();
        return isBegun ? node.caller : node;
    }

    /** What facts say of the caller; null for one that they do not know. */
    private String[] caller(Node node) {
        return node.caller.isTransaction() ? null : methods[node.caller.method];
    }

    /** Bytecode index of the call that leads to a context, -1 unknown. */
    private int bytecode(Node node) {
        return called(node).from != null ? -1 : call(called(node), 0);
    }

    /** Its line. */
    private int line(Node context) {
        Node node = called(context);
        String[] caller = caller(node);
        for (int i = 0; node.from != null && caller != null && i < node.from.length; i++) {
            StackTraceElement frame = node.from[i];
            if (frame.getClassName().equals(caller[2]) && frame.getMethodName().equals(caller[3])) {
                return Math.max(frame.getLineNumber(), -1);
            }
        }
        return call(node, 1);
    }

    private int call(Node node, int which) {
        String[] caller = caller(node);
        int i = 4 + 2 * (node.slot - 1) + which;
        return caller == null || node.slot == 0 || i >= caller.length ? -1 : Integer.parseInt(caller[i]);
    }

    private void values(int n, int thread, long end) {
        int values = 0;
        for (int i = 0; i < n; i++) {
            long[] counters = nodes[i].counters;
            for (int k = 0; k < counters.length; k++) {
                values += counters[k] != 0 ? 1 : 0;
            }
            for (Node.OfClass made = nodes[i].made; made != null; made = made.next) {
                values += Made.WIDTH;
            }
        }
        long[] contexts = new long[values];
        int[] numbers = new int[values];
        long[] all = new long[values];
        int at = 0;
        for (int i = 0; i < n; i++) {
            long[] counters = nodes[i].counters;
            for (int k = 0; k < counters.length && at < values; k++) {
                long value = counters[k];
                if (value != 0) {
                    contexts[at] = nodes[i].id;
                    numbers[at] = nodes[i].first + k;
                    all[at++] = value;
                    recording.counts[nodes[i].first + k] += value;
                }
            }
            Node.OfClass made = nodes[i].made;
            for (; made != null && at <= values - Made.WIDTH; made = made.next) {
                long[] of = {made.n, made.elements, made.bytes};
                for (int k = 0; k < of.length; k++) {
                    contexts[at] = nodes[i].id;
                    numbers[at] = made.counter + k;
                    all[at++] = of[k];
                }
            }
        }
        Block block = recording.block.record(CONTEXT_COUNTS).signed(end).unsigned(thread).flag(true).unsigned(at);
        for (int i = 0; i < at; i++) {
            block.signed(contexts[i] - (i == 0 ? 0 : contexts[i - 1]));
        }
        for (int i = 0; i < at; i++) {
            block.signed(numbers[i] - (i == 0 ? 0 : numbers[i - 1]));
        }
        for (int i = 0; i < at; i++) {
            block.signed(all[i]);
        }
        block.unsigned(n);
        for (int i = 0; i < n; i++) {
            block.signed(nodes[i].id - (i == 0 ? 0 : nodes[i - 1].id));
        }
        for (int i = 0; i < n; i++) {
            block.signed(nodes[i].entered);
        }
    }

    /** Records what contexts take, and what had none or not its own. */
    void end(Block block) throws IOException {
        block.record(CONTEXT_TOTALS).unsigned(Tree.taken());
        for (int i = 0; i < OTHER_TOTALS; i++) {
            block.unsigned(0);
        }
        if (Transactions.name(Transactions.MOST) != null) {
            block.record(Recording.LOSS).string("transactions").unsigned(1)
                .string("more than " + Transactions.MOST +
                        " different names: what was done in transactions with other names is in " 
                    + Transactions.name(Transactions.MOST));
        }
        if (Transactions.full) {
            block.record(Recording.LOSS).string("transactions").unsigned(1)
                .string("threads entered more than " + Transactions.DEEPEST +
                        " transactions inside each other: what they did in further ones is in the last of these");
        }
        if (Tree.refused != 0) {
            block.record(Recording.LOSS).string("contexts").unsigned(Tree.refused)
                .string("invocations for whose contexts there was no memory (" + (Tree.LIMIT >> 20) +
                        " MiB, -Dmallard.contexts=MIB): what they made is in no context");
        }
    }
}
