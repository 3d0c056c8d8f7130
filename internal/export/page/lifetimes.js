// How a tree of packages and classes looks: widths are what was born, colours how much of it the first collection that came to it found dead.
const lived = decodeLifetimes(data.lifetimes);

// decodeLifetimes reads six numbers for each leaf, in order, and adds up all but the median for packages.
function decodeLifetimes(numbers) {
  const sums = () => ({objects: new Float64Array(tree.size), bytes: new Float64Array(tree.size)});
  const l = {met: sums(), soon: sums(), median: new Map()};
  for (let i = 1, at = 0; i < tree.size; i++) {
    if (!tree.isClass[i]) continue;
    l.met.objects[i] = numbers[at++];
    l.met.bytes[i] = numbers[at++];
    l.soon.objects[i] = numbers[at++];
    l.soon.bytes[i] = numbers[at++];
    l.median.set(i, {collections: numbers[at++], atLeast: numbers[at++] === 1});
  }
  for (let i = tree.size - 1; i > 0; i--) {
    for (const sum of [l.met, l.soon]) {
      sum.objects[tree.parent[i]] += sum.objects[i];
      sum.bytes[tree.parent[i]] += sum.bytes[i];
    }
  }
  return l;
}

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
  at("legend").replaceChildren("Died in the first collection:", ...[0, 0.25, 0.5, 0.75, 1].map(share =>
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
  const median = lived.median.get(leafOf(node));
  if (median) {
    const n = `${number(median.collections)} ${median.collections === 1 ? "collection" : "collections"}`;
    lines.push(median.atLeast ? `half of them came through ${n}, perhaps more` : `half of them came through at most ${n}`);
  }
  return lines;
}
