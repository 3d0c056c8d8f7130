// The recorded tree. Node 0 is everything; the others follow in preorder. A leaf is an allocated class.
const data = JSON.parse(document.getElementById("data").textContent);
const tree = decodeTree(data.nodes, data.count);

// decodeTree reads numbers: for each node how many levels its parent is above the node before, its name twice plus 1 for a class, and then
// of a class the objects and bytes, of a method the invocations.
function decodeTree(numbers, count) {
  const size = count + 1;
  const t = {
    size, parent: new Int32Array(size), end: new Int32Array(size), name: new Int32Array(size), isClass: new Uint8Array(size),
    calls: new Float64Array(size), objects: new Float64Array(size), bytes: new Float64Array(size),
  };
  t.name[0] = t.parent[0] = -1;
  for (let i = 1, at = 0, before = 0; i < size; i++) {
    for (let up = numbers[at++]; up > 0; up--) before = t.parent[before];
    t.parent[i] = before;
    t.name[i] = numbers[at] >> 1;
    t.isClass[i] = numbers[at++] & 1;
    if (t.isClass[i]) {
      t.objects[i] = numbers[at++];
      t.bytes[i] = numbers[at++];
    } else {
      t.calls[i] = numbers[at++];
    }
    before = i;
  }
  for (let i = size - 1; i >= 0; i--) {
    t.end[i] = Math.max(t.end[i], i + 1);
    if (i === 0) break;
    const p = t.parent[i];
    t.end[p] = Math.max(t.end[p], t.end[i]);
    t.objects[p] += t.objects[i];
    t.bytes[p] += t.bytes[i];
  }
  return t;
}

// A Frame is a box of the graph. Its children are made when they are first drawn.
class Frame {
  constructor(parent, name, isClass) {
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.name = name; // index in data.names, -1 for everything
    this.isClass = isClass;
    this.objects = this.bytes = this.calls = 0;
    this.made = null;
  }
  get title() { return this.name < 0 ? "everything" : data.names[this.name]; }
  get children() { return this.made ??= this.make(); }
}

// A CallFrame is a node of the tree.
class CallFrame extends Frame {
  constructor(parent, node) {
    super(parent, tree.name[node], tree.isClass[node] === 1);
    this.node = node;
    this.objects = tree.objects[node];
    this.bytes = tree.bytes[node];
    this.calls = tree.calls[node];
  }
  make() {
    const children = [];
    for (let i = this.node + 1; i < tree.end[this.node]; i = tree.end[i]) children.push(new CallFrame(this, i));
    return children;
  }
}

// A CallerFrame has above it what called it: the classes at the bottom, then the methods that made them. It stands for some leaves of the tree
// (leaves), seen from some nodes on the way out from them (nodes).
class CallerFrame extends Frame {
  constructor(parent, name, isClass) {
    super(parent, name, isClass);
    this.nodes = [];
    this.leaves = [];
  }
  add(node, leaf) {
    this.nodes.push(node);
    this.leaves.push(leaf);
    this.objects += tree.objects[leaf];
    this.bytes += tree.bytes[leaf];
  }
  make() {
    const byName = new Map();
    this.nodes.forEach((node, i) => {
      const outside = this.parent ? tree.parent[node] : node;
      if (outside <= 0) return;
      const name = tree.name[outside];
      let frame = byName.get(name);
      if (!frame) byName.set(name, frame = new CallerFrame(this, name, tree.isClass[outside] === 1));
      frame.add(outside, this.leaves[i]);
    });
    return [...byName.values()];
  }
}

function callRoot() { return new CallFrame(null, 0); }

function callerRoot() {
  const root = new CallerFrame(null, -1, false);
  for (let i = 1; i < tree.size; i++) if (tree.isClass[i]) root.add(i, i);
  return root;
}

// packageOf is what a name is coloured by.
function packageOf(name) {
  const parts = name.replace(/[\[\]]/g, "").split(".");
  const end = parts.findIndex(part => !/^[a-z_][a-z0-9_]*$/.test(part));
  return parts.slice(0, end < 0 ? parts.length - 1 : end).join(".");
}

// share sums the nodes whose names match, none of them inside another.
function share(matches, unit) {
  let sum = 0;
  for (let i = 1; i < tree.size;) {
    if (matches[tree.name[i]]) {
      sum += tree[unit][i];
      i = tree.end[i];
    } else {
      i++;
    }
  }
  return sum;
}
