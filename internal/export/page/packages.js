// How a tree of calls looks, and what is said of its frames.

// Colours: a hue for each package, the largest first so that these differ most; classes are deeper than methods.
const hues = new Map();
const colours = data.names.map(() => []);
function assignHues() {
  const sizes = new Map();
  for (let i = 1; i < tree.size; i++) {
    const name = packageOf(data.names[tree.name[i]]);
    const own = tree.isClass[i] ? tree.objects[i] : selfObjects(i);
    sizes.set(name, (sizes.get(name) || 0) + own);
  }
  const order = [...sizes.keys()].sort((a, b) => sizes.get(b) - sizes.get(a) || (a < b ? -1 : 1));
  order.forEach((name, i) => hues.set(name, (30 + i * 137.508) % 360)); // golden angle: neighbours are far apart
}

// selfObjects is what a method itself made.
function selfObjects(node) {
  let sum = 0;
  for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) if (tree.isClass[i]) sum += tree.objects[i];
  return sum;
}

function packageColour(name, isClass) { return name ? `hsl(${hues.get(name)} ${isClass ? "75% 66%" : "60% 80%"})` : isClass ? "#b4b9c0" : "#cfd3d8"; }

function colour(frame) {
  if (frame.name < 0) return "#cfd3d8";
  return colours[frame.name][frame.isClass ? 1 : 0] ??= packageColour(packageOf(frame.title), frame.isClass);
}

// legend names the packages that are largest on the screen.
function legend() {
  const largest = [...hues.keys()].filter(name => name).slice(0, 8);
  at("legend").replaceChildren(...largest.map(name => {
    const entry = document.createElement("span"), sample = document.createElement("i");
    sample.style.background = packageColour(name, false);
    entry.append(sample, name);
    return entry;
  }));
}

// describe says of a frame how much it is.
function describe(frame) {
  const lines = [(frame.isClass ? "new " : "") + frame.title];
  lines.push(`${number(frame.objects)} objects, ${percent(frame.objects, tree.objects[0])}`);
  lines.push(`${number(frame.bytes)} bytes, ${percent(frame.bytes, tree.bytes[0])}`);
  if (frame.calls > 0) lines.push(`${number(frame.calls)} ${frame.calls === 1 ? "call" : "calls"}`);
  return lines;
}

assignHues();
