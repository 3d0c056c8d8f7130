package callenc

import (
	"math/rand/v2"
	"slices"
)

// A graph is a program that does nothing but call: by method, the calls that it may make.
type graph [][]Edge

// randomGraph has methods from 1 on, calls between any two of them, to themselves too, and some that several places
// make.
func randomGraph(r *rand.Rand, methods, calls int) graph {
	g := make(graph, methods+1)
	g[Root] = []Edge{{Root, 1, 0}, {Root, Method(1 + r.IntN(methods)), 1}}
	for range calls {
		caller := Method(1 + r.IntN(methods))
		g[caller] = append(g[caller], Edge{caller, Method(1 + r.IntN(methods)), int32(len(g[caller]))})
	}
	return g
}

// A frame is an invocation that goes on, with the number that it keeps in a local variable.
type frame[ID any] struct {
	method Method
	id     ID
}

// A walker is a thread of a program: it calls and returns at random, and its frames are the truth.
type walker[ID any] struct {
	frames []frame[ID]
	calls  []Edge // that made them
}

// step calls a method or leaves one, or many at a time as exceptions do. It returns the edge of a call.
func (w *walker[ID]) step(g graph, r *rand.Rand, deepest int, start ID, call func(Edge, ID) ID) (Edge, bool) {
	caller, id := Root, start
	if n := len(w.frames); n > 0 {
		caller, id = w.frames[n-1].method, w.frames[n-1].id
	}
	if edges := g[caller]; len(edges) > 0 && len(w.frames) < deepest && r.IntN(5) > 1 {
		e := edges[r.IntN(len(edges))]
		w.frames = append(w.frames, frame[ID]{e.Callee, call(e, id)})
		w.calls = append(w.calls, e)
		return e, true
	}
	leave := min(len(w.frames), 1)
	if r.IntN(10) == 0 {
		leave = r.IntN(len(w.frames) + 1)
	}
	w.frames, w.calls = w.frames[:len(w.frames)-leave], w.calls[:len(w.calls)-leave]
	return Edge{}, false
}

// A sample is a context that was met, to be decoded later.
type sample[ID any] struct {
	method Method
	id     ID
	calls  []Edge
}

func (w *walker[ID]) sample() sample[ID] {
	top := w.frames[len(w.frames)-1]
	return sample[ID]{top.method, top.id, slices.Clone(w.calls)}
}
