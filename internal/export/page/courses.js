// What was held, and had been born, class by class at each point. Point 0 is the start, when there was nothing.
const DRAWN = 12; // classes that have a colour
const points = data.points;
const size = points.seconds.length;
const courses = data.courses.map((course, i) => decodeCourse(course, data.others > 0 && i === data.courses.length - 1));
const total = addUp(courses);

function emptyCourse(title) {
  const numbers = () => ({objects: new Float64Array(size), bytes: new Float64Array(size)});
  return {title, name: -1, site: "", siteName: -1, held: numbers(), born: numbers()};
}

// decodeCourse reads five numbers for each change: how many points it is from the one before, and what is more of objects and bytes held, and of
// objects and bytes born.
function decodeCourse({name, site, changes}, isRest) {
  const c = emptyCourse(data.names[name]);
  c.name = name;
  c.isRest = isRest;
  if (site >= 0) [c.site, c.siteName] = [data.names[site], site];
  const columns = [c.held.objects, c.held.bytes, c.born.objects, c.born.bytes], now = [0, 0, 0, 0];
  let point = 0;
  const fill = end => {
    for (; point < end; point++) columns.forEach((column, k) => column[point] = now[k]);
  };
  for (let i = 0, next = 0; i < changes.length; i += 5) {
    fill(next += changes[i]);
    for (let k = 0; k < 4; k++) now[k] += changes[i + 1 + k];
  }
  fill(size);
  return c;
}

function addUp(courses) {
  const sum = emptyCourse("all");
  for (const c of courses) {
    for (const part of ["held", "born"]) {
      for (const unit of ["objects", "bytes"]) c[part][unit].forEach((n, i) => sum[part][unit][i] += n);
    }
  }
  return sum;
}

// largest are the classes that have a colour, those that held most over all points first.
let largest = [];
const courseColours = new Map(); // by number of the name
function chooseLargest() {
  const weight = new Map(courses.map(c => [c, c.held[view.unit].reduce((a, b) => a + b, 0)]));
  largest = courses.filter(c => !c.isRest && weight.get(c) > 0);
  largest.sort((a, b) => weight.get(b) - weight.get(a) || (a.title < b.title ? -1 : 1));
  largest.length = Math.min(largest.length, DRAWN);
  courseColours.clear();
  largest.forEach((c, i) => courseColours.set(c.name, `hsl(${(30 + i * 137.508) % 360} 62% ${i % 2 ? 52 : 64}%)`));
}

const nameColour = name => courseColours.get(name) ?? "#9aa0a8";

// isFound reports whether a name matches what is searched for, or nothing is.
const isFound = name => !view.matches || name >= 0 && view.matches[name];

const isCourseFound = c => isFound(c.name) || isFound(c.siteName);

// short prints an amount for an axis.
function short(n) {
  const [step, units] = view.unit === "bytes" ? [1024, ["B", "KiB", "MiB", "GiB", "TiB"]] : [1000, ["", "k", "M", "G", "T"]];
  let i = 0;
  while (n >= step && i < units.length - 1) {
    n /= step;
    i++;
  }
  return (n < 10 && i > 0 ? n.toFixed(1) : Math.round(n)) + (units[i] && " " + units[i]);
}
