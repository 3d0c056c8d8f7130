import org.python.core.PyObject;
import org.python.core.PyCode;
import org.python.util.PythonInterpreter;

/** Python programs on the JVM: classes, dictionaries, generators, strings, recursion. */
public final class Jython extends Workload {
    private static final String PROGRAM = String.join("\n",
            "class Node(object):",
            "    def __init__(self, key):",
            "        self.key, self.left, self.right = key, None, None",
            "    def insert(self, key):",
            "        node = self",
            "        while True:",
            "            if key == node.key: return",
            "            side = 'left' if key < node.key else 'right'",
            "            child = getattr(node, side)",
            "            if child is None:",
            "                setattr(node, side, Node(key)); return",
            "            node = child",
            "    def walk(self):",
            "        if self.left:",
            "            for key in self.left.walk(): yield key",
            "        yield self.key",
            "        if self.right:",
            "            for key in self.right.walk(): yield key",
            "def tree(n):",
            "    root, x = Node(0), 12345",
            "    for i in range(n):",
            "        x = (x * 1103515245 + 12345) % 2147483648",
            "        root.insert(x % 10007)",
            "    return sum(i * key for i, key in enumerate(root.walk()))",
            "def words(n):",
            "    counts = {}",
            "    for i in range(n):",
            "        word = 'w%d' % (i * i % 97)",
            "        counts[word] = counts.get(word, 0) + len(word)",
            "    return sum(hash_(k) * v for k, v in sorted(counts.items()))",
            "def hash_(text):",
            "    h = 0",
            "    for c in text: h = (31 * h + ord(c)) & 0xffff",
            "    return h",
            "def queens(n, row=0, columns=(), up=(), down=()):",
            "    if row == n: return 1",
            "    return sum(queens(n, row + 1, columns + (c,), up + (row + c,), down + (row - c,))",
            "               for c in range(n) if c not in columns and row + c not in up and row - c not in down)",
            "result = tree(6000) + words(40000) + queens(7)");

    private PythonInterpreter interpreter;
    private PyCode code;

    @Override
    protected void prepare() {
        interpreter = new PythonInterpreter();
        code = interpreter.compile(PROGRAM);
    }

    @Override
    protected long iterate() {
        interpreter.exec(code);
        PyObject result = interpreter.get("result");
        return Long.parseLong(result.__str__().toString()) & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Jython().run(args);
    }
}
