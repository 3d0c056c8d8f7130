// How a tree of calls looks that two sides have: a frame is as wide as what is in it on the side that has more, class by class; red is what B has
// more, blue what it has less.

// changed has of each node what B has more, and of that what is sure. before is what A has.
const changed = {objects: new Float64Array(tree.size), bytes: new Float64Array(tree.size)};
const sure = {objects: new Float64Array(tree.size), bytes: new Float64Array(tree.size)};
const before = {objects: new Float64Array(tree.size), bytes: new Float64Array(tree.size)};
function addChanges() {
  for (let i = 1, at = 0; i < tree.size; i++) {
    if (!tree.isClass[i]) continue;
    const isSure = data.changes[at + 2] === 1;
    for (const unit of ["objects", "bytes"]) {
      const change = data.changes[at++];
      changed[unit][i] = change;
      sure[unit][i] = isSure ? change : 0;
      before[unit][i] = change > 0 ? tree[unit][i] - change : tree[unit][i];
    }
    at++;
  }
  for (let i = tree.size - 1; i > 0; i--) {
    for (const sums of [changed, sure, before]) {
      for (const unit of ["objects", "bytes"]) sums[unit][tree.parent[i]] += sums[unit][i];
    }
  }
}

// sum adds up what a frame stands for.
function sum(sums, frame, unit) {
  return (frame.leaves ?? frame.nodes).reduce((sum, node) => sum + sums[unit][node], 0);
}

// shade is from blue, where all is gone, to red, where all is new.
const ends = [[70, 130, 235], [228, 229, 226], [235, 80, 60]];
function shade(share) {
  const half = share < 0 ? 0 : 1, part = share + 1 - half;
  return `rgb(${ends[half].map((c, i) => Math.round(c + (ends[half + 1][i] - c) * part)).join(" ")})`;
}

// colour is deeper than the share of a frame that has changed: a tenth can be seen.
function colour(frame) {
  const share = value(frame) > 0 ? sum(sure, frame, view.unit) / value(frame) : 0;
  return shade(Math.max(-1, Math.min(1, Math.sign(share) * Math.sqrt(Math.abs(share)))));
}

function legend() {
  const entry = (background, text) => {
    const entry = document.createElement("span"), sample = document.createElement("i");
    sample.style.background = background;
    entry.append(sample, text);
    return entry;
  };
  at("legend").replaceChildren(entry(shade(-1), "gone"), entry(shade(-0.5), "less"), entry(shade(0), data.noise ? "no change, or noise" : "no change"),
    entry(shade(0.5), "more"), entry(shade(1), "new"));
}

// describe says of a frame what both sides have.
function describe(frame) {
  const lines = [(frame.isClass ? "new " : "") + frame.title];
  for (const unit of ["objects", "bytes"]) {
    const a = sum(before, frame, unit), change = sum(changed, frame, unit);
    const part = a > 0 ? `, ${change > 0 ? "+" : ""}${(100 * change / a).toFixed(1)} %` : "";
    const noise = data.noise && change !== 0 && sum(sure, frame, unit) === 0 ? ", within the noise" : "";
    lines.push(`${number(a)} → ${number(a + change)} ${unit}${data.per ? " per " + data.per : ""}: ${change > 0 ? "+" : ""}${number(change)}${part}${noise}`);
  }
  return lines;
}

addChanges();
