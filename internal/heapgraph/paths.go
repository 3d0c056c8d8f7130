package heapgraph

import (
	"cmp"
	"fmt"
	"regexp"
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

// stepKey is a step behind a path.
type stepKey struct {
	before int32
	step   step
}

// paths merges the ways of all objects.
type paths struct {
	reached *Reached
	list    []path
	byStep  map[stepKey]int32
	byRoot  map[string]int32
	of      []int32 // by object
}

// Bounds of paths.
const (
	mostRepeated = 4  // steps that are seen to repeat, as in lists of lists
	mostSteps    = 64 // what is behind is taken to be at the end
)

// paths finds each object's. What refers to an object comes before it.
func (r *Reached) paths() *paths {
	p := &paths{reached: r, byStep: map[stepKey]int32{}, byRoot: map[string]int32{}, of: make([]int32, r.Graph.Objects)}
	for _, object := range r.order {
		if r.from[object] < 0 {
			p.of[object] = p.root(r.Graph.rootName(^r.from[object]))
			continue
		}
		p.of[object] = p.add(p.of[r.from[object]], r.step(object), object)
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

// add goes on by a step, to an object.
func (p *paths) add(before int32, s step, object int32) int32 {
	g := p.reached.Graph
	if s.mirror != none && g.isPermanent(s.mirror) { // the field is what a reader looks for
		return p.root("static " + g.stepName(s))
	}
	last := &p.list[before]
	if last.before != none && last.step.shape == s.shape && g.shape[object] == s.shape && !g.isArray(s.shape) {
		return before // from one of a class to the next, as in trees
	}
	if k := p.repeats(before, s); k > 0 {
		for ; k > 1; k-- {
			before = p.list[before].before
		}
		return before
	}
	if last.length == mostSteps {
		return before
	}
	key := stepKey{before, s}
	id, ok := p.byStep[key]
	if !ok {
		id = int32(len(p.list))
		p.list = append(p.list, path{before: before, step: s, length: last.length + 1})
		p.byStep[key] = id
	}
	return id
}

// repeats gives the number of steps at a path's end, the one that follows included, that are those before them once
// more; 0 for none.
func (p *paths) repeats(before int32, s step) int {
	var last [2*mostRepeated - 1]step // backwards, without s
	n := 0
	for at := before; n < len(last) && p.list[at].before != none; at = p.list[at].before {
		last[n] = p.list[at].step
		n++
	}
	for k := 1; k <= mostRepeated && 2*k-1 <= n; k++ {
		if last[k-1] == s && slices.Equal(last[:k-1], last[k:2*k-1]) {
			return k
		}
	}
	return 0
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
	class := g.className(g.classOf(s.shape))
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

func (g *Graph) isArray(shape int32) bool { return g.shapes[shape].form == abi.HeapReferences }

// threadName says which thread has a number. Platform threads have names; others are virtual.
func (g *Graph) threadName(number uint64) string {
	if name := g.names[named{abi.HeapNameThread, number}]; name != "" {
		return "thread " + name
	}
	return "a virtual thread"
}

// ofPool is a thread's name as its pool has it, whose threads differ in numbers.
var ofPool = regexp.MustCompile(`[0-9]+`)

// rootName says what a root is, in the same words where threads of one pool have the same.
func (g *Graph) rootName(index int32) string {
	r := g.roots[index]
	in := ""
	if method := g.names[named{abi.HeapNameMethod, r.method}]; method != "" {
		in = " in " + heap.JavaName(method)
	}
	thread := ofPool.ReplaceAllString(g.threadName(r.thread), "*")
	switch r.kind {
	case permanent, rootSystem:
		if g.isMirror(r.object) {
			return "class " + g.mirrorName(r.object)
		}
	case rootStack:
		return fmt.Sprintf("local variable %d%s of %s", r.slot, in, thread)
	case rootJNILocal:
		return fmt.Sprintf("JNI local%s of %s", in, thread)
	case rootThread:
		return thread
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
	p := &paths{reached: r, byStep: map[stepKey]int32{}, byRoot: map[string]int32{}}
	id := p.root(r.Graph.rootName(^r.from[object]))
	for _, object := range slices.Backward(up) {
		id = p.add(id, r.step(object), object)
	}
	return p.way(id)
}

// Paths gives the ways to the objects of classes whose names match q.Class, and of sites that match q.Site, those of
// most objects or bytes first, and how many there are.
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
			match = profile.MatchName(q.Class, g.history.Name(class)) && q.MatchesSite(class)
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
