package heapgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/profile"
)

// Way is how an object is reached from a root.
type Way struct {
	Root  string   // a static field, the stack of a thread, ...
	Steps []string // from there: fields, "demo.Cache.entries"; of arrays "[]" is behind the field before
}

// String gives all of it.
func (w Way) String() string { return strings.Join(append([]string{w.Root}, w.Steps...), " > ") }

// PathRow is objects of a class that are reached on one way.
type PathRow struct {
	Class heap.Class
	heap.Amount
	Strength Strength
	Way      Way
}

// step is how one object leads to the next: by a class's slot, an array's elements, a class's static field.
type step struct {
	shape, slot int32
	mirror      int32 // whose static field it is; none
}

// path is a way, as a step behind another path. Steps that repeat, as in a list, are not repeated.
type path struct {
	before int32 // none: it begins at a root
	step   step
	root   string
	length int32
}

// paths merges the ways of all objects.
type paths struct {
	reached *Reached
	list    []path
	byStep  map[struct {
		before int32
		step   step
	}]int32
	byRoot map[string]int32
	of     []int32 // by object
}

// recent is how many steps back one is taken to be a repetition: lists of lists have some.
const recent = 4

// mostSteps bounds a path: what is behind is taken to be at its end.
const mostSteps = 64

// paths finds each object's. What refers to an object comes before it.
func (r *Reached) paths() *paths {
	p := &paths{reached: r, byStep: map[struct {
		before int32
		step   step
	}]int32{}, byRoot: map[string]int32{}, of: make([]int32, r.Graph.Objects)}
	for _, object := range r.order {
		if r.from[object] < 0 {
			p.of[object] = p.root(r.Graph.rootName(^r.from[object]))
			continue
		}
		p.of[object] = p.add(p.of[r.from[object]], r.step(object))
	}
	return p
}

func (p *paths) root(name string) int32 {
	id, ok := p.byRoot[name]
	if !ok {
		id = int32(len(p.list))
		p.list = append(p.list, path{before: none, root: name})
		p.byRoot[name] = id
	}
	return id
}

func (p *paths) add(before int32, s step) int32 {
	at := before
	for range recent {
		if p.list[at].before == none {
			break
		}
		if p.list[at].step == s {
			return at
		}
		at = p.list[at].before
	}
	if p.list[before].length == mostSteps {
		return before
	}
	if s.mirror != none && p.reached.Graph.isPermanent(s.mirror) { // the field is what a reader looks for
		return p.root("static " + p.reached.Graph.stepName(s))
	}
	key := struct {
		before int32
		step   step
	}{before, s}
	id, ok := p.byStep[key]
	if !ok {
		id = int32(len(p.list))
		p.list = append(p.list, path{before: before, step: s, length: p.list[before].length + 1})
		p.byStep[key] = id
	}
	return id
}

// step is the last one to an object that is no root.
func (r *Reached) step(object int32) step {
	g := r.Graph
	from, via := r.from[object], r.via[object]
	s := step{g.shape[from], via, none}
	switch own := g.shapes[s.shape]; {
	case via == viaClass:
	case own.form == abi.HeapReferences:
		s.slot = 0
	case own.form == abi.HeapClassForm && int(via) >= len(own.slots):
		s.mirror = from
	}
	return s
}

// stepName says what a step is.
func (g *Graph) stepName(s step) string {
	own := g.shapes[s.shape]
	class := g.history.Name(g.classOf(s.shape))
	switch {
	case s.slot == viaClass:
		return class + ".class"
	case own.form == abi.HeapReferences:
		return "[]"
	case s.mirror != none:
		name := g.mirrorName(s.mirror)
		var statics []Slot
		if m := g.mirrors[s.mirror]; m != nil {
			statics = m.statics
		}
		i := int(s.slot) - len(own.slots)
		if i < len(statics) {
			return name + "." + fieldName(statics[i].Name)
		}
		if i -= len(statics); i < len(mirrorSlots) {
			return name + "." + mirrorSlots[i]
		}
		return name + ".?"
	case int(s.slot) < len(own.slots):
		return class + "." + fieldName(own.slots[s.slot].Name)
	}
	return class + ".?"
}

// mirrorSlots are what a class refers to that is in no field.
var mirrorSlots = [abi.HeapMirrorSlots]string{abi.HeapMirrorArrays: "(array class)",
	abi.HeapMirrorConstants: "(constants)", abi.HeapMirrorSuper: "(superclass)"}

func fieldName(name string) string {
	if name == "" {
		return "(hidden)"
	}
	return name
}

// rootName says what a root is.
func (g *Graph) rootName(index int32) string {
	r := g.roots[index]
	in := ""
	if method := g.names[named{abi.HeapNameMethod, r.method}]; method != "" {
		in = " in " + heap.JavaName(method)
	}
	if r.thread != 0 {
		thread := g.names[named{abi.HeapNameThread, r.thread}]
		if thread == "" {
			thread = fmt.Sprint(r.thread)
		}
		in += " of thread " + thread
	}
	switch r.kind {
	case permanent, rootSystem:
		if g.isMirror(r.object) {
			return "class " + g.mirrorName(r.object)
		}
		return "JVM"
	case rootStack:
		return fmt.Sprintf("local variable %d", r.slot) + in
	case rootJNILocal:
		return "JNI local" + in
	case rootThread:
		return "thread"
	case rootMonitor:
		return "monitor"
	case rootJNIGlobal:
		return "JNI global"
	}
	return "JVM"
}

// way gives a path in words.
func (p *paths) way(id int32) (w Way) {
	for ; p.list[id].before != none; id = p.list[id].before {
		w.Steps = append(w.Steps, p.reached.Graph.stepName(p.list[id].step))
	}
	w.Root = p.list[id].root
	slices.Reverse(w.Steps)
	joined := w.Steps[:0]
	for _, s := range w.Steps {
		switch {
		case s != "[]":
			joined = append(joined, s)
		case len(joined) == 0:
			w.Root += s
		default:
			joined[len(joined)-1] += s
		}
	}
	w.Steps = joined
	return w
}

// Way is how one object is reached.
func (r *Reached) Way(object int32) Way {
	if r.strength[object] == Unreached {
		return Way{}
	}
	var up []int32
	for ; r.from[object] >= 0; object = r.from[object] {
		up = append(up, object)
	}
	p := &paths{reached: r, byStep: map[struct {
		before int32
		step   step
	}]int32{}, byRoot: map[string]int32{}}
	id := p.root(r.Graph.rootName(^r.from[object]))
	for _, object := range slices.Backward(up) {
		id = p.add(id, r.step(object))
	}
	return p.way(id)
}

// Paths gives the ways to the objects of classes whose names match q.Class, those of most objects or bytes first, and
// how many there are.
func (r *Reached) Paths(q heap.Query) (rows []PathRow, count int) {
	type key struct {
		class    heap.Class
		path     int32
		strength Strength
	}
	g, p := r.Graph, r.paths()
	sums := map[key]heap.Amount{}
	matches := map[heap.Class]bool{}
	for _, object := range r.order {
		class := g.Class(object)
		match, known := matches[class]
		if !known {
			match = profile.Match(q.Class, g.history.Name(class))
			matches[class] = match
		}
		if match {
			k := key{class, p.of[object], r.strength[object]}
			sums[k] = plus(sums[k], g.Amount(object))
		}
	}
	keys := make([]key, 0, len(sums))
	for k := range sums {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(value(&q, sums[b]), value(&q, sums[a])), cmp.Compare(b.strength, a.strength),
			cmp.Compare(a.class, b.class), cmp.Compare(a.path, b.path))
	})
	for _, k := range top(&q, keys) {
		rows = append(rows, PathRow{k.class, sums[k], k.strength, p.way(k.path)})
	}
	return rows, len(keys)
}
