package heapgraph

import (
	"cmp"
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

// Reached is how objects are reached: each on a shortest way.
type Reached struct {
	Graph    *Graph
	Sums     [Strong + 1]heap.Amount
	strength []Strength
	from     []int32 // by object: who refers to it; of a root ^index in Graph.roots
	via      []int32 // by object: the slot of who refers to it, or viaClass
	order    []int32 // objects as they were reached
}

// ranks are kinds of roots in order: an object that has several is said to have the first. Others come last.
var ranks = []uint32{permanent, rootStack, rootThread, rootJNILocal, rootMonitor, rootJNIGlobal, rootSystem}

func rank(kind uint32) int {
	if i := slices.Index(ranks, kind); i >= 0 {
		return i
	}
	return len(ranks)
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

// Reach follows references from the roots.
func (g *Graph) Reach() *Reached {
	r := &Reached{Graph: g, strength: make([]Strength, g.Objects), from: make([]int32, g.Objects),
		via: make([]int32, g.Objects)}
	roots := make([]int32, len(g.roots))
	for i := range roots {
		roots[i] = int32(i)
	}
	slices.SortStableFunc(roots, func(a, b int32) int {
		return cmp.Compare(rank(g.roots[a].kind), rank(g.roots[b].kind))
	})
	for _, i := range roots {
		r.reach(g.roots[i].object, ^i, 0, Strong)
	}
	next := r.follow(0, Strong)
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
