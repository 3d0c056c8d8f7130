package callenc

import (
	"cmp"
	"container/heap"
	"slices"
)

// ordered puts the methods of a graph in an order in which few calls lead back, by the greedy algorithm of Eades, Lin
// and Smyth (A fast and effective heuristic for the feedback arc set problem, 1993), with edges weighing what they
// were taken: a method that calls no other that is left goes to the end, one that no other calls to the front, and if
// there is neither, the one that calls most more often than it is called goes to the front.
func ordered(edges []Edge, taken map[Edge]uint64) []Method {
	g := &feedback{nodes: map[Method]*feedbackNode{}}
	for _, e := range edges {
		caller, callee := g.node(e.Caller), g.node(e.Callee)
		weight := int64(taken[e]) + 1
		caller.calls = append(caller.calls, link{callee, weight})
		callee.callers = append(callee.callers, link{caller, weight})
		caller.out += weight
		callee.in += weight
	}
	queue := make(byExcess, 0, len(g.order))
	for i, n := range g.order {
		n.index = i
		queue = append(queue, n)
	}
	heap.Init(&queue)
	g.queue = queue
	var front, back []Method
	for _, n := range g.order {
		g.free(n)
	}
	for {
		var n *feedbackNode
		switch {
		case len(g.sinks) > 0:
			n = g.sinks[len(g.sinks)-1]
			g.sinks = g.sinks[:len(g.sinks)-1]
			if !n.gone {
				back = append(back, n.method)
				g.remove(n)
			}
			continue
		case len(g.sources) > 0:
			n = g.sources[len(g.sources)-1]
			g.sources = g.sources[:len(g.sources)-1]
			if n.gone {
				continue
			}
		case len(g.queue) > 0:
			n = g.queue[0]
		default:
			slices.Reverse(back)
			return append(front, back...)
		}
		front = append(front, n.method)
		g.remove(n)
	}
}

// feedback is the graph while methods are taken out of it.
type feedback struct {
	nodes          map[Method]*feedbackNode
	order          []*feedbackNode // as edges name them, so that results do not depend on the map
	queue          byExcess
	sinks, sources []*feedbackNode
}

type feedbackNode struct {
	method         Method
	calls, callers []link
	in, out        int64 // weights of edges that are left
	index          int   // in the queue
	gone           bool
}

type link struct {
	*feedbackNode
	weight int64
}

func (g *feedback) node(m Method) *feedbackNode {
	n := g.nodes[m]
	if n == nil {
		n = &feedbackNode{method: m}
		g.nodes[m] = n
		g.order = append(g.order, n)
	}
	return n
}

// free notes a method without calls or callers that are left.
func (g *feedback) free(n *feedbackNode) {
	switch {
	case n.gone:
	case n.out == 0:
		g.sinks = append(g.sinks, n)
	case n.in == 0:
		g.sources = append(g.sources, n)
	}
}

func (g *feedback) remove(n *feedbackNode) {
	n.gone = true
	heap.Remove(&g.queue, n.index)
	for _, l := range n.calls {
		if !l.gone {
			l.in -= l.weight
			heap.Fix(&g.queue, l.index)
			g.free(l.feedbackNode)
		}
	}
	for _, l := range n.callers {
		if !l.gone {
			l.out -= l.weight
			heap.Fix(&g.queue, l.index)
			g.free(l.feedbackNode)
		}
	}
}

// byExcess is a heap with the method first that calls most more often than it is called.
type byExcess []*feedbackNode

func (q byExcess) Len() int { return len(q) }
func (q byExcess) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].out-q[j].in, q[i].out-q[i].in), cmp.Compare(q[i].method, q[j].method)) < 0
}
func (q byExcess) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *byExcess) Push(n any) {
	n.(*feedbackNode).index = len(*q)
	*q = append(*q, n.(*feedbackNode))
}
func (q *byExcess) Pop() any {
	n := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return n
}
