// Where objects lay at a moment: by space, and with G1 by region of the old generation. Of each map there is what is other than on the one before.
const maps = data.maps;
const drawn = {map: maps.at, wanted: null, reached: -1, classes: new Map(), regions: new Map()};

// reach has what is drawn be that of a map.
function reach(map) {
  if (map < drawn.reached) {
    drawn.classes.clear();
    drawn.regions.clear();
    drawn.reached = -1;
  }
  while (drawn.reached < map) {
    const i = ++drawn.reached;
    const classes = maps.classes[i], regions = maps.regions[i];
    for (let k = 0; k < classes.length; k += 3) {
      const [key, objects, bytes] = classes.slice(k, k + 3);
      if (objects === 0 && bytes === 0) drawn.classes.delete(key);
      else drawn.classes.set(key, {objects, bytes});
    }
    for (let k = 0; k < regions.length; k += 7) {
      const [number, space, objects, bytes, unused, name, most] = regions.slice(k, k + 7), key = `${space} ${number}`;
      if (objects === 0 && bytes === 0 && unused === 0) drawn.regions.delete(key);
      else drawn.regions.set(key, {number, space: maps.spaces[space], objects, bytes, unused, name, most});
    }
  }
}

// spacesOf has what is in each space of the map that was reached, the classes of which most is there first.
function spacesOf() {
  const sums = maps.sums[drawn.reached];
  const spaces = maps.spaces.map((name, i) => ({name, objects: sums[3 * i], bytes: sums[3 * i + 1], unused: sums[3 * i + 2], classes: []}));
  for (const [key, {objects, bytes}] of drawn.classes) {
    const [name, site] = maps.named[Math.floor(key / spaces.length)];
    spaces[key % spaces.length].classes.push({name, site, objects, bytes});
  }
  for (const space of spaces) space.classes.sort((a, b) => b[view.unit] - a[view.unit] || (data.names[a.name] < data.names[b.name] ? -1 : 1));
  return spaces;
}

const mapMoment = map => maps.points[map] >= 0 ? points.moments[maps.points[map]] : data.moment;
const mapSeconds = map => maps.points[map] >= 0 ? points.seconds[maps.points[map]] : maps.seconds;

// nearestMap is that of a point, or of one that is as near as any that has a map. Before the first pause there was nothing.
function nearestMap(point) {
  let best = -1;
  maps.points.forEach((p, i) => {
    if (p >= 0 && (best < 0 || Math.abs(p - point) < Math.abs(maps.points[best] - point))) best = i;
  });
  return best;
}

// showMap draws another map, wanted for a point, or for itself: null.
function showMap(map, wanted) {
  if (map < 0 || map === drawn.map && wanted === drawn.wanted) return;
  Object.assign(drawn, {map, wanted});
  if (at("map").hidden) return;
  drawMap();
  drawTimeline();
}

// markMap marks when it was that the map is of, while that can be seen.
function markMap(floor) {
  if (at("map").hidden) return;
  const x = xAt(mapSeconds(drawn.map));
  areas.fillStyle = ink("--ink");
  areas.beginPath();
  areas.moveTo(x - 5, 12);
  areas.lineTo(x + 5, 12);
  areas.lineTo(x, 20);
  areas.fill();
  areas.fillRect(x - 0.5, 12, 1, floor - 12);
}

function drawMap() {
  if (at("map").hidden) return;
  reach(drawn.map);
  const moment = mapMoment(drawn.map);
  at("moment").max = maps.points.length - 1;
  at("moment").value = drawn.map;
  at("moment").setAttribute("aria-valuetext", moment);
  const isOther = drawn.wanted !== null && drawn.wanted !== maps.points[drawn.map];
  at("when").textContent = `The heap ${moment}. Colours are those of classes above.` +
    (isOther ? ` The moment that was chosen, ${points.moments[drawn.wanted]}, has no map of its own: this is the nearest.` : "");
  const spaces = spacesOf();
  const largest = Math.max(1, ...spaces.map(space => space[view.unit]));
  at("spaces").replaceChildren(...spaces.map(space => {
    const row = document.createElement("div"), title = document.createElement("span"), sum = document.createElement("span");
    row.className = "space";
    title.textContent = space.name;
    sum.textContent = `${number(space.objects)} objects, ${number(space.bytes)} bytes` + (space.unused > 0 ? `, ${number(space.unused)} unused` : "");
    row.append(title, drawBar(space, largest), sum);
    return row;
  }));
  drawRegions();
}

function drawRegions() {
  const regions = [...drawn.regions.values()];
  if (!maps.regions.some(changes => changes.length > 0)) return;
  regions.sort((a, b) => a.number - b.number || (a.space < b.space ? 1 : -1));
  const left = maps.sums[drawn.map].at(-1);
  const head = document.createElement("p");
  head.textContent = "Regions of the old generation, by number. A box is as full as its region, and its colour is that of the class that has most bytes there. " +
    "A humongous object with all of its regions is one box, which has a dark edge. Which regions the young generation has was not recorded." +
    (left > 0 ? ` ${number(left)} in which less is used are left out.` : "");
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
  for (const {name, site, objects, bytes} of space.classes) {
    add(name, data.names[name] + (site < 0 ? "" : `, ${data.names[site]}`), objects, bytes);
    sums[0] += objects;
    sums[1] += bytes;
  }
  if (space.objects > sums[0] || space.bytes > sums[1]) add(-1, "other classes", space.objects - sums[0], space.bytes - sums[1]);
  return bar;
}

at("map").onmousemove = event => tell(event, event.target.lines);
at("map").onmouseleave = () => tell(null, null);
at("moment").oninput = () => showMap(+at("moment").value, null);
addEventListener("pointed", ({detail: point}) => point === null ? showMap(maps.at, null) : showMap(nearestMap(point), point));
