// What the reader has chosen, as the address has it behind #: who opens that address sees the same.
const defaults = {
  view: "graph", unit: "bytes", reversed: "", downward: "", folded: data.folded ? "1" : "", lines: "", // how it is shown
  path: "", method: "", title: "", file: "", line: "", by: "method", sort: "self", search: "", // what is
  from: "", to: "", class: "", in: "", under: "", thread: "", transaction: "", // of what
};
const selecting = ["from", "to", "class", "in", "under", "thread", "transaction"];
let chosen = readAddress();
data.unit = chosen.unit;

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, given.get(name) ?? value]));
}

// note keeps what has been chosen in the address. What is only another look at the same makes no step back.
function note(changes, isStep = true) {
  chosen = {...chosen, ...changes};
  const text = "#" + new URLSearchParams(Object.entries(chosen).filter(([name, value]) => value !== defaults[name]));
  if (text !== (location.hash || "#")) history[isStep ? "pushState" : "replaceState"](null, "", text);
}

// selection says to the server what is selected.
function selection() {
  return Object.fromEntries(selecting.filter(name => chosen[name]).map(name => [name, chosen[name]]));
}

// ask has the server answer a question. Of several of a kind that are asked meanwhile the last one is answered.
const asked = new Map();
async function ask(question, parameters, kind = question) {
  const number = (asked.get(kind) ?? 0) + 1;
  asked.set(kind, number);
  const response = await fetch(question + "?" + new URLSearchParams({...selection(), ...parameters}));
  const answer = await response.json();
  if (asked.get(kind) !== number) return new Promise(() => {}); // nobody waits for it any more
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
