// The recorded tree. Node 0 is everything; the others follow in preorder. A leaf is an allocated class.
const data = JSON.parse(document.getElementById("data").textContent);
const tree = decodeTree(data.nodes, data.count);
const whole = {objects: tree.objects[0], bytes: tree.bytes[0]};

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

// A CallFrame is a node of the tree, or some that have one name. Opened, what it calls is not folded.
class CallFrame extends Frame {
  constructor(parent, name, isClass) {
    super(parent, name, isClass);
    this.nodes = [];
    this.isOpen = parent !== null && parent.isOpen && !isOwn(name);
  }
  get node() { return this.nodes[0]; }
  add(node) {
    this.nodes.push(node);
    this.objects += tree.objects[node];
    this.bytes += tree.bytes[node];
    this.calls += tree.calls[node];
  }
  make() {
    const children = new Children(this);
    for (const node of this.nodes) {
      for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) {
        if (view.folded && !this.isOpen && isFoldable(i)) children.fold(i); else children.add(i);
      }
    }
    return children.frames();
  }
}

// A FoldedFrame is all calls of a frame that are not the reader's own code. Its children are what they lead to.
class FoldedFrame extends CallFrame {
  constructor(parent) { super(parent, -1, false); }
  get standsFor() { return "… other code"; }
  make() {
    const children = new Children(this), pending = [...this.nodes];
    while (pending.length > 0) {
      const node = pending.pop();
      for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) {
        if (isFoldable(i)) pending.push(i); else children.add(i);
      }
    }
    return children.frames();
  }
  // open has what is folded stand by itself.
  open() {
    this.parent.isOpen = true;
    this.parent.made = null;
    return this.parent;
  }
}

// Children are frames, one for each node, or where code is folded for each name.
class Children {
  constructor(parent) {
    this.parent = parent;
    this.byName = new Map();
    this.folded = null;
  }
  add(node) {
    const isClass = tree.isClass[node] === 1;
    const key = view.folded ? 2 * tree.name[node] + tree.isClass[node] : node;
    let frame = this.byName.get(key);
    if (!frame) this.byName.set(key, frame = new CallFrame(this.parent, tree.name[node], isClass));
    frame.add(node);
  }
  fold(node) { (this.folded ??= new FoldedFrame(this.parent)).add(node); }
  frames() { return [...this.byName.values(), ...(this.folded ? [this.folded] : [])]; }
}

// own has the names of the reader's own methods.
const own = new Set(data.mine ?? []);
const isOwn = name => name < 0 || own.has(name);
const isFoldable = node => !tree.isClass[node] && !own.has(tree.name[node]);

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

function callRoot() {
  const root = new CallFrame(null, -1, false);
  root.add(0);
  return root;
}

function callerRoot() {
  const root = new CallerFrame(null, -1, false);
  for (let i = 1; i < tree.size; i++) if (tree.isClass[i]) root.add(i, i);
  return root;
}

// share gives the sum of the nodes whose names match what is searched for, none of them inside another.
function share(text, unit, give) {
  let sum = 0;
  for (let i = 1; i < tree.size;) {
    if (view.matches[tree.name[i]]) {
      sum += tree[unit][i];
      i = tree.end[i];
    } else {
      i++;
    }
  }
  give(sum);
}

// packageSizes says how many objects each package has made, classes and the methods themselves.
function packageSizes() {
  const sizes = new Map();
  for (let i = 1; i < tree.size; i++) {
    const name = packageOf(data.names[tree.name[i]]);
    const own = tree.isClass[i] ? tree.objects[i] : selfObjects(i);
    sizes.set(name, (sizes.get(name) || 0) + own);
  }
  return sizes;
}

// selfObjects is what a method itself made.
function selfObjects(node) {
  let sum = 0;
  for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) if (tree.isClass[i]) sum += tree.objects[i];
  return sum;
}
