// How a tree of packages and classes looks: widths are what was born in the span, colours how much of it the first collection that came to it found
// dead.
const lived = {
  met: {objects: new Float64Array(tree.size), bytes: new Float64Array(tree.size)}, // by a first collection
  soon: {objects: new Float64Array(tree.size), bytes: new Float64Array(tree.size)}, // of that, found dead by it
  leaves: new Map(), // numbers of each
  first: 0, end: Infinity, // of the stretches that the span has
  text: "",
};
for (let i = 1; i < tree.size; i++) if (tree.isClass[i]) lived.leaves.set(i, data.lifetimes.leaves[lived.leaves.size]);
addUpLived();

// bornIn gives what was born of a leaf in the stretches of the span, one after the other.
function* bornIn(leaf) {
  const numbers = lived.leaves.get(leaf);
  for (let i = 0, stretch = -1; i < numbers.length;) {
    const [behind, objects, bytes, unmetObjects, unmetBytes, laterObjects, laterBytes, ages] = numbers.slice(i, i += 8);
    stretch += behind;
    const from = i;
    i += 3 * ages;
    if (stretch >= lived.end) return;
    if (stretch < lived.first) continue;
    const met = {objects: objects - unmetObjects, bytes: bytes - unmetBytes};
    const soon = {objects: met.objects - laterObjects, bytes: met.bytes - laterBytes};
    yield {born: {objects, bytes}, met, soon, ages: numbers.slice(from, i)};
  }
}

// addUpLived has the tree be what was born in the span.
function addUpLived() {
  for (const unit of ["objects", "bytes"]) for (const sum of [tree, lived.met, lived.soon]) sum[unit].fill(0);
  for (const leaf of lived.leaves.keys()) {
    for (const {born, met, soon} of bornIn(leaf)) {
      for (const unit of ["objects", "bytes"]) {
        tree[unit][leaf] += born[unit];
        lived.met[unit][leaf] += met[unit];
        lived.soon[unit][leaf] += soon[unit];
      }
    }
  }
  for (let i = tree.size - 1; i > 0; i--) {
    for (const unit of ["objects", "bytes"]) for (const sum of [tree, lived.met, lived.soon]) sum[unit][tree.parent[i]] += sum[unit][i];
  }
  for (const unit of ["objects", "bytes"]) whole[unit] = tree[unit][0];
}

// fitLived has the picture be of the span, or of one that is a little longer where there are no shorter stretches. What was looked at stays, if there
// is any of it.
function fitLived() {
  if (graph.hidden) return;
  const every = data.lifetimes.every, first = Math.floor(span.from / every), end = Math.ceil(span.to / every);
  if (lived.text && lived.first === first && lived.end === end) return;
  Object.assign(lived, {first, end});
  lived.text = `Born between ${points.moments[first * every]} and ${points.moments[Math.min(end * every, last())]}.`;
  addUpLived();
  const [focus, selected] = [view.focus, view.selected];
  view.root = callRoot();
  view.focus = again(focus) ?? view.root;
  select(selected && again(selected));
  show(view.unit, view.reversed);
}

// again is the frame of the new picture that stands for what one of the old does, null if nothing of it was born.
function again(frame) {
  if (!frame.parent) return view.root;
  const found = again(frame.parent)?.children.find(child => child.node === frame.node);
  return found && found.objects > 0 ? found : null;
}

// median is how many collections half of a leaf's objects came through at most, or, atLeast, what more is not known than.
function median(leaf) {
  const dead = new Map(), left = new Map();
  const add = (to, age, n) => to.set(age, (to.get(age) || 0) + n);
  let all = 0;
  for (const {soon, ages} of bornIn(leaf)) {
    add(dead, 0, soon.objects);
    all += soon.objects;
    for (let i = 0; i < ages.length; i += 3) {
      add(dead, ages[i], ages[i + 1]);
      add(left, ages[i], ages[i + 2]);
      all += ages[i + 1] + ages[i + 2];
    }
  }
  let [died, ended] = [0, 0];
  for (const age of [...new Set([...dead.keys(), ...left.keys()])].sort((a, b) => a - b)) {
    died += dead.get(age) || 0;
    ended = ended + (dead.get(age) || 0) + (left.get(age) || 0);
    if (2 * ended >= all) return 2 * died < all ? {collections: age, atLeast: true} : {collections: age + width(age) - 1, atLeast: false};
  }
  return null;
}

// width is how many ages are told as one: those that have four bits and more are told by the highest four.
const width = age => 2 ** Math.max(0, Math.floor(Math.log2(age)) - 3);

// shade is from blue, where nothing died young, to orange, where all did.
const ends = [[110, 160, 230], [238, 238, 226], [240, 140, 60]];
function shade(share) {
  const half = share < 0.5 ? 0 : 1, part = 2 * share - half;
  return `rgb(${ends[half].map((c, i) => Math.round(c + (ends[half + 1][i] - c) * part)).join(" ")})`;
}

const unmet = "#b4b9c0"; // no collection came to it

function colour(frame) {
  const met = lived.met[view.unit][frame.node];
  return met > 0 ? shade(Math.max(0, Math.min(1, lived.soon[view.unit][frame.node] / met))) : unmet;
}

function legend() {
  const entry = (background, text) => {
    const entry = document.createElement("span"), sample = document.createElement("i");
    sample.style.background = background;
    entry.append(sample, text);
    return entry;
  };
  at("legend").replaceChildren(lived.text, "Died in the first collection:", ...[0, 0.25, 0.5, 0.75, 1].map(share =>
    entry(shade(share), 100 * share + " %")), entry(unmet, "no collection came"));
}

// leafOf is the leaf that is all there is in a node, 0 if there are several.
function leafOf(node) {
  while (!tree.isClass[node] && node + 1 < tree.size && tree.end[node + 1] === tree.end[node]) node++;
  return tree.isClass[node] ? node : 0;
}

// describe says of a frame what was born and how long it lived.
function describe(frame) {
  const node = frame.node, lines = [frame.title];
  for (const unit of ["objects", "bytes"]) {
    lines.push(`${number(frame[unit])} ${unit} born, ${percent(frame[unit], tree[unit][0])}`);
  }
  if (!(lived.met.objects[node] > 0)) return [...lines, "no collection came to them"];
  const [objects, bytes] = ["objects", "bytes"].map(unit => percent(lived.soon[unit][node], lived.met[unit][node]));
  lines.push(`died in the first collection that came to them: ${objects} of the objects, ${bytes} of the bytes`);
  const leaf = leafOf(node), half = leaf > 0 && median(leaf);
  if (half) {
    const n = `${number(half.collections)} ${half.collections === 1 ? "collection" : "collections"}`;
    lines.push(half.atLeast ? `half of them came through ${n}, perhaps more` : `half of them came through at most ${n}`);
  }
  return lines;
}
