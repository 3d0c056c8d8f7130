// Where objects lay at a moment: by space, and with G1 by region of the old generation.
const regions = [];
for (let i = 0; i < data.regions.length; i += 7) {
  const [number, space, objects, bytes, unused, name, most] = data.regions.slice(i, i + 7);
  regions.push({number, space: data.spaces[space].name, objects, bytes, unused, name, most});
}

function drawMap() {
  if (at("map").hidden) return;
  at("when").textContent = `The heap ${data.moment}. Colours are those of classes above.`;
  const largest = Math.max(1, ...data.spaces.map(space => space[view.unit]));
  at("spaces").replaceChildren(...data.spaces.map(space => {
    const row = document.createElement("div"), title = document.createElement("span"), sum = document.createElement("span");
    row.className = "space";
    title.textContent = space.name;
    sum.textContent = `${number(space.objects)} objects, ${number(space.bytes)} bytes` + (space.unused > 0 ? `, ${number(space.unused)} unused` : "");
    row.append(title, drawBar(space, largest), sum);
    return row;
  }));
  if (regions.length === 0) return;
  const head = document.createElement("p");
  head.textContent = "Regions of the old generation, by number. A box is as full as its region, and its colour is that of the class that has most bytes there. " +
    "A humongous object with all of its regions is one box, which has a dark edge. Which regions the young generation has was not recorded.";
  const sizes = regions.filter(r => r.space === "old").map(r => r.bytes + r.unused);
  const full = Math.max(1, ...sizes);
  at("regions").replaceChildren(head, ...regions.map(region => {
    const box = document.createElement("i"), share = Math.min(1, (region.bytes + region.unused) / full);
    const colour = nameColour(region.name);
    box.style.background = `linear-gradient(to top, ${colour} ${100 * share}%, transparent ${100 * share}%)`;
    box.classList.toggle("humongous", region.space === "humongous");
    box.classList.toggle("dim", !isFound(region.name));
    box.lines = [`region ${number(region.number)}, ${region.space}`, `${number(region.objects)} objects, ${number(region.bytes)} bytes`];
    if (region.unused > 0) box.lines.push(`${number(region.unused)} bytes unused between objects`);
    if (region.name >= 0) box.lines.push(`most is ${data.names[region.name]}: ${number(region.most)} bytes, ${percent(region.most, region.bytes)}`);
    return box;
  }));
}

// drawBar draws what a space has, as wide as that is in comparison.
function drawBar(space, largest) {
  const bar = document.createElement("div");
  bar.className = "bar";
  let rest = space[view.unit];
  const add = (name, title, objects, bytes) => {
    const part = document.createElement("i"), value = view.unit === "bytes" ? bytes : objects;
    part.style.width = 100 * Math.max(0, value) / largest + "%";
    part.style.background = nameColour(name);
    part.classList.toggle("dim", !isFound(name));
    part.lines = [title, `in ${space.name}: ${number(objects)} objects, ${number(bytes)} bytes`];
    bar.append(part);
  };
  const sums = [0, 0];
  for (let i = 0; i < space.classes.length; i += 3) {
    const [name, objects, bytes] = space.classes.slice(i, i + 3);
    add(name, data.names[name], objects, bytes);
    sums[0] += objects;
    sums[1] += bytes;
  }
  if (space.objects > sums[0] || space.bytes > sums[1]) add(-1, "other classes", space.objects - sums[0], space.bytes - sums[1]);
  return bar;
}

at("map").onmousemove = event => tell(event, event.target.lines);
at("map").onmouseleave = () => tell(null, null);
