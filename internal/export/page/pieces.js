// The recorded tree as the server has it, of which there is here what was asked for.
const data = JSON.parse(document.getElementById("data").textContent);
data.names = [];
const whole = {...data.total};

// A PieceFrame's children are those that the server has said. It may be cut: there may be more.
class PieceFrame extends Frame {
  constructor(parent, name, objects, bytes, calls, upwards = true) {
    super(parent, name, name >= 0 && labels[name].kind === "class");
    if (parent && !upwards) this.depth = parent.depth - 1;
    Object.assign(this, {objects, bytes, upwards, made: [], isCut: false, isOpen: false});
    this.kind = name < 0 ? "" : labels[name].kind;
    this.calls = this.kind === "smaller" ? 0 : calls;
    this.count = this.kind === "smaller" ? calls : 0;
  }
  get title() { return this.name < 0 ? this.standsFor : this.kind === "smaller" ? `… ${number(this.count)} smaller` : labels[this.name].title; }
  // path leads the server to it.
  get path() {
    const keys = [];
    for (let frame = this; frame.parent; frame = frame.parent) keys.push(labels[frame.name].key + (frame.isOpen ? "*" : ""));
    return keys.reverse().join(".");
  }
  // open has what is folded stand by itself; in a sandwich it makes another method the middle.
  open() {
    if (chosen.view === "sandwich") {
      const method = methodOf(this);
      if (method && this !== view.root) sandwich(method.key, method.title);
      return null;
    }
    if (this.kind !== "folded") return this;
    Object.assign(this.parent, {isOpen: true, isCut: true, made: []});
    return this.parent;
  }
  // isPart says that not all is known of what is above it.
  get isPart() { return this.isCut || this.made.some(frame => frame.kind === "smaller" || frame.isPart); }
}

const labels = []; // by number of a name: title, kind, key
const numbers = new Map();
const keyOf = label => label.key + label.kind;

// intern gives the number of a name.
function intern(label) {
  if (label.kind === "") return -1;
  const key = keyOf(label);
  if (!numbers.has(key)) {
    numbers.set(key, labels.length);
    labels.push(label);
    data.names.push(label.title);
    view.matches?.push(label.kind !== "smaller" && view.test(label.title));
  }
  return numbers.get(key);
}

// fill gives a frame what the server says is above it.
function fill(frame, piece) {
  const names = piece.names.map(intern);
  frame.made = [];
  frame.isCut = piece.cut;
  let before = frame;
  for (let i = 0; i < piece.frames.length; i += 6) {
    const [up, name, objects, bytes, calls, cut] = piece.frames.slice(i, i + 6);
    for (let n = up; n > 0; n--) before = before.parent;
    const next = new PieceFrame(before, names[name], objects, bytes, calls, frame.upwards);
    next.isCut = cut === 1;
    next.isOpen = before.isOpen && next.kind === "method" && !labels[next.name].own;
    before.made.push(next);
    before = next;
  }
}

// methodOf is the method that a frame is of, without a line: its key and title; null for none.
function methodOf(frame) {
  if (frame.kind !== "method") return null;
  const {title, key, method} = labels[frame.name];
  return method ? {key: method, title: title.replace(/:\d+$/, "")} : {key, title};
}

// trunk makes the frames that lead to a piece, and gives the last one.
function trunk(piece, upwards) {
  const names = piece.names.map(intern);
  let frame = null;
  const opened = chosen.path.split(".").map(key => key.endsWith("*"));
  piece.trail.forEach(([name, objects, bytes, calls], i) => {
    const next = new PieceFrame(frame, names[name], objects, bytes, calls, upwards);
    next.isOpen = i > 0 && opened[i - 1] === true || frame !== null && frame.isOpen && next.kind === "method" && !labels[next.name].own;
    if (frame) frame.made = [next];
    frame = next;
  });
  fill(frame, piece);
  return frame;
}

const looks = () => ({unit: view.unit, width: Math.round(graph.clientWidth) || 1200, lines: chosen.lines ? 1 : 0, folded: view.folded ? 1 : 0});
const kindOfTree = () => view.reversed ? "classes" : "calls";

// load asks for what is above a frame of the graph.
async function load(frame) {
  const root = view.root;
  const piece = await ask("tree", {...looks(), tree: kindOfTree(), path: frame.path}, "piece");
  if (root !== view.root || piece.trail.length !== frame.depth + 1) return;
  fill(frame, piece);
  redraw();
}

// redraw draws what has come: what was in sight stays there, as far from the bottom as it was.
let fromBottom = 0, placed = -1;
const keepPlace = () => fromBottom = graph.scrollHeight - graph.clientHeight - graph.scrollTop;
document.getElementById("graph").addEventListener("scroll", () => graph.scrollTop !== placed && keepPlace());
function redraw() {
  layout();
  if (!view.downward) graph.scrollTop = graph.scrollHeight - graph.clientHeight - fromBottom;
  placed = graph.scrollTop;
  draw();
}

// Where a frame that is cut is wide enough, the server is asked for more.
let waiting = false;
addEventListener("laid", async () => {
  if (waiting || chosen.view !== "graph" || !view.root.isLoaded) return;
  const isWanted = ({frame, width}) => frame.isCut && frame.kind !== "smaller" && width > 8 && frame.depth >= view.focus.depth;
  const widest = view.rows.flat().filter(isWanted).sort((a, b) => b.width - a.width)[0];
  if (!widest) return;
  widest.frame.isCut = false; // it is asked for once
  waiting = true;
  try {
    await load(widest.frame);
  } finally {
    waiting = false;
  }
});

// A frame that takes the whole width has more above it that is wide enough.
addEventListener("zoomed", () => {
  if (chosen.view !== "graph" || !view.root.isLoaded) return;
  note({path: view.focus.path});
  if (view.focus.isPart) load(view.focus);
});

function emptyRoot() {
  const root = new PieceFrame(null, -1, whole.objects, whole.bytes, 0);
  root.isLoaded = false;
  return root;
}
const callRoot = emptyRoot, callerRoot = emptyRoot;

// renew asks for the graph anew: what the address says is shown.
async function renew() {
  const piece = await ask("tree", {...looks(), tree: kindOfTree(), path: chosen.path});
  [whole.objects, whole.bytes] = piece.total;
  const focus = trunk(piece, true);
  let root = focus;
  while (root.parent) root = root.parent;
  assignHuesOf(root);
  view.root = root;
  select(null);
  zoom(focus);
  root.isLoaded = true;
  note({path: focus.path}, false);
  if (focus === root) fromBottom = 0; else keepPlace();
  legend();
  redraw();
}

// assignHuesOf gives packages colours, those first that have most.
function assignHuesOf(root) {
  const sizes = new Map(), pending = [root];
  while (pending.length > 0) {
    const frame = pending.pop();
    const own = frame.objects - frame.made.reduce((sum, child) => sum + child.objects, 0);
    if (frame.kind === "method" || frame.kind === "class") sizes.set(packageOf(labels[frame.name].title), (sizes.get(packageOf(labels[frame.name].title)) || 0) + own);
    pending.push(...frame.made);
  }
  assignHues(sizes);
}

const packageSizes = () => new Map();

// share asks for the sum of what is in or below names that match.
async function share(text, unit, give) {
  try {
    const [objects, bytes] = await ask("found", {search: text});
    give(unit === "bytes" ? bytes : objects);
  } catch {
    at("search").setAttribute("aria-invalid", true);
  }
}

// sandwich shows what called a method, above it, and what it called, below.
async function sandwich(method, title) {
  note({view: "sandwich", method, title, path: ""});
  showPanels();
  if (!method) return;
  const [callers, callees] = await Promise.all(["callers", "callees"].map(tree => ask("tree", {...looks(), tree, method}, tree)));
  const root = trunk(callers, true);
  root.under = trunk(callees, false);
  root.under.calls = root.calls;
  for (const half of [root, root.under]) assignHuesOf(half);
  legend();
  view.root = root;
  select(root);
  zoom(root);
  fromBottom = Math.max(0, view.below * ROW - graph.clientHeight / 2);
  redraw();
}
