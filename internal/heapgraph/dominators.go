package heapgraph

import "mallard/internal/abi"

// Dominators says of each object that is strongly reached which other one all ways to it go through last, its
// dominator, and what would be free without it.
//
// T. Lengauer, R. E. Tarjan: A Fast Algorithm for Finding Dominators in a Flowgraph (1979), in its simpler form,
// without recursion. Objects have numbers here in the order of a search, from 1 on; 0 stands for all roots.
type Dominators struct {
	Reached *Reached
	object  []int32 // by number
	number  []int32 // by object; 0: not strongly reached
	idom    []int32 // by number, the dominator's; always smaller
	bytes   []int64 // by number: retained, its own included
	objects []int32 // the same
}

// NewDominators finds them.
func NewDominators(r *Reached) *Dominators {
	d := &Dominators{Reached: r, number: make([]int32, r.Graph.Objects),
		object: append(make([]int32, 0, 1+r.Sums[Strong].Objects), none)}
	parent := d.search()
	d.dominate(parent)
	d.add()
	return d
}

// strongly calls use with the objects that one refers to strongly.
func (g *Graph) strongly(object int32, use func(target int32)) {
	g.each(object, func(_ int32, kind byte, target int32) {
		if kind == abi.HeapStrong {
			use(target)
		}
	})
}

// search numbers objects depth first, and gives each number's parent.
func (d *Dominators) search() (parent []int32) {
	g := d.Reached.Graph
	parent = append(make([]int32, 0, cap(d.object)), 0)
	type edge struct{ from, to int32 } // a number, an object
	var stack []edge
	for _, r := range g.roots {
		stack = append(stack, edge{0, r.object})
		for len(stack) > 0 {
			e := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if d.number[e.to] != 0 {
				continue
			}
			n := int32(len(d.object))
			d.number[e.to] = n
			d.object = append(d.object, e.to)
			parent = append(parent, e.from)
			g.strongly(e.to, func(target int32) {
				if d.number[target] == 0 {
					stack = append(stack, edge{n, target})
				}
			})
		}
	}
	return parent
}

// predecessors gives, by number, who refers to it: those from first[n] to first[n+1].
func (d *Dominators) predecessors() (first, list []int32) {
	g := d.Reached.Graph
	first = make([]int32, len(d.object)+1)
	for _, object := range d.object[1:] {
		g.strongly(object, func(target int32) { first[d.number[target]]++ })
	}
	sum := int32(0)
	for n, count := range first {
		first[n] = sum
		sum += count
	}
	list = make([]int32, sum)
	next := append([]int32(nil), first...)
	for n, object := range d.object[1:] {
		g.strongly(object, func(target int32) {
			to := d.number[target]
			list[next[to]] = int32(n + 1)
			next[to]++
		})
	}
	return first, list
}

// dominate finds dominators.
func (d *Dominators) dominate(parent []int32) {
	n := int32(len(d.object))
	first, predecessors := d.predecessors()
	f := newForest(n)
	d.idom = make([]int32, n)
	inBucket, nextInBucket := make([]int32, n), make([]int32, n) // 0 ends a list
	isRoot := make([]bool, n)
	for _, r := range d.Reached.Graph.roots {
		isRoot[d.number[r.object]] = true
	}
	for w := n - 1; w > 0; w-- {
		if isRoot[w] {
			f.semi[w] = 0
		}
		for _, v := range predecessors[first[w]:first[w+1]] {
			f.semi[w] = min(f.semi[w], f.semi[f.eval(v)])
		}
		// all with w's parent as semidominator come by when the parent is linked
		nextInBucket[w] = inBucket[f.semi[w]]
		inBucket[f.semi[w]] = w
		f.ancestor[w] = parent[w]
		for v := inBucket[parent[w]]; v != 0; v = nextInBucket[v] {
			d.idom[v] = parent[w]
			if u := f.eval(v); f.semi[u] < f.semi[v] {
				d.idom[v] = u
			}
		}
		inBucket[parent[w]] = 0
	}
	for w := int32(1); w < n; w++ {
		if d.idom[w] != f.semi[w] {
			d.idom[w] = d.idom[d.idom[w]]
		}
	}
}

// forest is the algorithm's: ways from vertices up to the ones that are linked already, shortened as they are gone.
type forest struct {
	semi, label, ancestor []int32 // ancestor none: not linked
	path                  []int32
}

func newForest(n int32) *forest {
	f := &forest{semi: make([]int32, n), label: make([]int32, n), ancestor: make([]int32, n)}
	for i := range n {
		f.semi[i], f.label[i], f.ancestor[i] = i, i, none
	}
	return f
}

// eval gives the vertex with the smallest semidominator on the way up from v, without the last one.
func (f *forest) eval(v int32) int32 {
	if f.ancestor[v] == none {
		return v
	}
	f.path = f.path[:0]
	for u := v; f.ancestor[f.ancestor[u]] != none; u = f.ancestor[u] {
		f.path = append(f.path, u)
	}
	for i := len(f.path) - 1; i >= 0; i-- {
		u := f.path[i]
		a := f.ancestor[u]
		if f.semi[f.label[a]] < f.semi[f.label[u]] {
			f.label[u] = f.label[a]
		}
		f.ancestor[u] = f.ancestor[a]
	}
	return f.label[v]
}

// add sums up what is retained.
func (d *Dominators) add() {
	g := d.Reached.Graph
	d.bytes, d.objects = make([]int64, len(d.object)), make([]int32, len(d.object))
	for n := len(d.object) - 1; n > 0; n-- {
		d.bytes[n] += g.Amount(d.object[n]).Bytes
		d.objects[n]++
		up := d.idom[n]
		d.bytes[up] += d.bytes[n]
		d.objects[up] += d.objects[n]
	}
}

// children lists, by number, those that it is the dominator of: first[n], then next[...], up to 0.
func (d *Dominators) children() (first, next []int32) {
	first, next = make([]int32, len(d.object)), make([]int32, len(d.object))
	for n := int32(len(d.object)) - 1; n > 0; n-- {
		next[n] = first[d.idom[n]]
		first[d.idom[n]] = n
	}
	return first, next
}
