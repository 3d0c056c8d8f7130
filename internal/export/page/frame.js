// A Frame is a box of the graph. Its children are made when they are first drawn.
class Frame {
  constructor(parent, name, isClass) {
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.name = name; // index in data.names, -1 for everything
    this.isClass = isClass;
    this.objects = this.bytes = this.calls = 0;
    this.made = null;
  }
  get title() { return this.name < 0 ? this.standsFor : data.names[this.name]; }
  get standsFor() { return "everything"; }
  get children() { return this.made ??= this.make(); }
  // open gives what a click shows: itself; null for nothing.
  open() { return this; }
}

// packageOf is what a name is coloured by.
function packageOf(name) {
  const parts = name.replace(/[\[\]]/g, "").split(".");
  const end = parts.findIndex(part => !/^[a-z_][a-z0-9_]*$/.test(part));
  return parts.slice(0, end < 0 ? parts.length - 1 : end).join(".");
}
