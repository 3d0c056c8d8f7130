package heapgraph

import (
	"slices"

	"mallard/internal/abi"
	"mallard/internal/heap"
)

// Strength is how an object is reached.
type Strength uint8

// From not at all to what can never be free.
const (
	Unreached Strength = iota // what was recorded does not say
	Finalizable
	Soft
	Strong
)

var strengthNames = [...]string{"unknown", "finalizer", "soft", "strong"}

// String returns the word for s in reports.
func (s Strength) String() string { return strengthNames[s] }

// viaClass is the slot of what an object refers to by its class: the java.lang.Class.
const viaClass = -1

// Reached is how objects are reached: each on a shortest way from the roots that are asked first.
type Reached struct {
	Graph    *Graph
	Sums     [Strong + 1]heap.Amount
	strength []Strength
	from     []int32 // by object: who refers to it; of a root ^index in Graph.roots
	via      []int32 // by object: the slot of who refers to it, or viaClass
	order    []int32 // objects as they were reached
}

// Kinds of roots, by JVMTI's numbers.
const (
	rootJNIGlobal = 21
	rootSystem    = 22
	rootMonitor   = 23
	rootStack     = 24
	rootJNILocal  = 25
	rootThread    = 26
)

// turns are kinds of roots in the order in which references from them are followed. What fields of classes and threads
// lead to is said to be held by them, whatever else has it at the moment; nil is all others.
var turns = [][]uint32{{permanent, rootSystem, rootThread}, {rootStack}, {rootJNIGlobal}, {rootMonitor}, nil}

// Reach follows references from the roots.
func (g *Graph) Reach() *Reached {
	r := &Reached{Graph: g, strength: make([]Strength, g.Objects), from: make([]int32, g.Objects),
		via: make([]int32, g.Objects), order: make([]int32, 0, g.Objects)}
	next := 0
	for _, kinds := range turns {
		for i, root := range g.roots {
			if slices.Contains(kinds, root.kind) || kinds == nil {
				r.reach(root.object, ^int32(i), 0, Strong)
			}
		}
		next = r.follow(next, Strong)
	}
	for _, s := range []struct {
		kind     byte
		strength Strength
	}{{abi.HeapSoft, Soft}, {abi.HeapFinalizer, Finalizable}} {
		for i := 0; i < len(r.order); i++ {
			object := r.order[i]
			g.each(object, func(slot int32, kind byte, target int32) {
				if kind == s.kind {
					r.reach(target, object, slot, s.strength)
				}
			})
			next = r.follow(next, s.strength)
		}
	}
	for object := range int32(g.Objects) {
		sum := &r.Sums[r.strength[object]]
		*sum = plus(*sum, g.Amount(object))
	}
	return r
}

// reach notes a way to an object, if it is the first.
func (r *Reached) reach(object, from, via int32, s Strength) {
	if r.strength[object] != Unreached {
		return
	}
	r.strength[object], r.from[object], r.via[object] = s, from, via
	r.order = append(r.order, object)
}

// follow goes on from what was reached, from an index on; it gives the next one.
func (r *Reached) follow(next int, s Strength) int {
	for ; next < len(r.order); next++ {
		object := r.order[next]
		r.Graph.each(object, func(slot int32, kind byte, target int32) {
			if kind == abi.HeapStrong {
				r.reach(target, object, slot, s)
			}
		})
	}
	return next
}

// each calls use with what an object refers to.
func (g *Graph) each(object int32, use func(slot int32, kind byte, target int32)) {
	s := g.shapes[g.shape[object]]
	for i := g.first[object]; i < g.first[object+1]; i++ {
		if target := g.target[i]; target != none {
			kind := byte(abi.HeapStrong)
			if slot := int(g.slot[i]); s.form != abi.HeapReferences && slot < len(s.slots) {
				kind = s.slots[slot].kind
			}
			use(int32(g.slot[i]), kind, target)
		}
	}
	if m := g.classMirror[g.shape[object]]; m != none {
		use(viaClass, abi.HeapStrong, m)
	}
}

// Strength is an object's.
func (r *Reached) Strength(object int32) Strength { return r.strength[object] }
