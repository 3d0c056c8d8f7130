// How a tree of calls looks, and what is said of its frames.

// Colours: a hue for each package, the largest first so that these differ most; classes are deeper than methods.
const hues = new Map();
const colours = [];
function assignHues(sizes) {
  const order = [...sizes.keys()].sort((a, b) => sizes.get(b) - sizes.get(a) || (a < b ? -1 : 1));
  for (const name of order) hueOf(name);
}

// hueOf gives a package its hue: those that follow each other are far apart, by the golden angle.
function hueOf(name) {
  if (!hues.has(name)) hues.set(name, (30 + hues.size * 137.508) % 360);
  return hues.get(name);
}

function packageColour(name, isClass) { return name ? `hsl(${hueOf(name)} ${isClass ? "75% 66%" : "60% 80%"})` : isClass ? "#b4b9c0" : "#cfd3d8"; }

function colour(frame) {
  if (frame.name < 0) return "#cfd3d8";
  return (colours[frame.name] ??= [])[frame.isClass ? 1 : 0] ??= packageColour(packageOf(frame.title), frame.isClass);
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
  for (const unit of ["objects", "bytes"]) {
    const below = frame.parent?.parent ? `, ${percent(frame[unit], frame.parent[unit])} of its parent` : "";
    lines.push(`${number(frame[unit])} ${unit}, ${percent(frame[unit], whole[unit])}${below}`);
  }
  if (frame.calls > 0) lines.push(`${number(frame.calls)} ${frame.calls === 1 ? "call" : "calls"}`);
  return lines;
}

assignHues(packageSizes());
