package callenc

import (
	"fmt"
	"math/big"
	"slices"
	"sync"
)

// Reference is Algorithm 1 of the Lucce paper (section 5). The graph G is its edges, for each method numCC, the
// number of contexts that it may be called in, and lv, the version of G in which it was entered when it last called
// another. Every assignment that changes G makes a new version; all versions can be looked at.
//
//	Update(e, (c, v)):      e = (p, n, l)
//	  lv(p) ← v
//	  E ← E ∪ {e}
//	  numCC(n) ← Σ numCC of the callers of n, one for each edge
//	  return (c + av(e), current version)
//
// av(e), the addition value, is the sum of numCC over the callers of the edges into n before e. The paper takes it in
// the graph as it is then, which is wrong where a method calls itself: numCC(n) has just been computed from the
// numCC(n) before, and a number made with the new one may be as large as numCC(n) itself, which is the number of
// paths that n's callees leave for it. So for an edge of n into n av takes the one before; NewLiteral does not.
//
// Numbers are unbounded: with 64 bits it would fail. All methods may be called by several goroutines.
type Reference struct {
	literal bool
	mu      sync.Mutex
	version Version
	into    map[Method][]referenceEdge // in the order of their discovery
	known   map[Edge]bool
	numCC   map[Method][]counted
	lv      map[Method][]left
}

// Version numbers the states of a graph.
type Version uint64

// ReferenceID is the number of a context, of which the last method is known besides.
type ReferenceID struct {
	C *big.Int
	V Version
}

// Histories: what holds from a version on, ascending.
type (
	referenceEdge struct {
		from Version
		Edge
	}
	counted struct {
		from Version
		n    *big.Int
	}
	left struct {
		from Version
		v    Version
	}
)

// NewReference makes a graph without edges.
func NewReference() *Reference {
	return &Reference{into: map[Method][]referenceEdge{}, known: map[Edge]bool{}, lv: map[Method][]left{},
		numCC: map[Method][]counted{Root: {{0, big.NewInt(1)}}}}
}

// NewLiteral makes a graph whose addition values are those of the paper, where methods call themselves too.
func NewLiteral() *Reference {
	r := NewReference()
	r.literal = true
	return r
}

// Start is the number of the empty chain, in which a thread begins: a call by Root comes next.
func (*Reference) Start() ReferenceID { return ReferenceID{new(big.Int), 0} }

// Update enters e.Callee, called by e.Caller, which was entered with id.
func (r *Reference) Update(e Edge, id ReferenceID) ReferenceID {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leftAt(e.Caller, r.version) != id.V {
		r.version++
		r.lv[e.Caller] = append(r.lv[e.Caller], left{r.version, id.V})
	}
	if !r.known[e] {
		r.version++
		r.known[e] = true
		r.into[e.Callee] = append(r.into[e.Callee], referenceEdge{r.version, e})
	}
	n := new(big.Int)
	for _, in := range r.into[e.Callee] {
		n.Add(n, r.count(in.Caller, r.version))
	}
	if n.Cmp(r.count(e.Callee, r.version)) != 0 {
		r.version++
		r.numCC[e.Callee] = append(r.numCC[e.Callee], counted{r.version, n})
	}
	av := new(big.Int)
	for _, in := range r.into[e.Callee] {
		if in.Edge == e {
			break
		}
		av.Add(av, r.pathCount(in.Edge, r.version))
	}
	return ReferenceID{av.Add(av, id.C), r.version}
}

// Decode gives the calls that led to an invocation of n, the outermost first.
func (r *Reference) Decode(n Method, id ReferenceID) ([]Edge, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var calls []Edge
	c, v := new(big.Int).Set(id.C), id.V
	for n != Root {
		e, av, ok := r.previous(n, c, v)
		if !ok {
			return nil, fmt.Errorf("callenc: no edge leads to method %d in version %d", n, v)
		}
		calls = append(calls, e)
		c.Sub(c, av)
		n, v = e.Caller, r.leftAt(e.Caller, v)
	}
	slices.Reverse(calls)
	return calls, nil
}

// previous finds the edge into n with the greatest addition value up to c, in version v: the paper's prev.
func (r *Reference) previous(n Method, c *big.Int, v Version) (e Edge, av *big.Int, ok bool) {
	sum := new(big.Int)
	for _, in := range r.into[n] {
		if in.from > v || sum.Cmp(c) > 0 {
			break
		}
		e, av, ok = in.Edge, new(big.Int).Set(sum), true
		sum.Add(sum, r.pathCount(in.Edge, v))
	}
	return e, av, ok
}

// Version is how many changes of the graph there were: the length of the paper's log.
func (r *Reference) Version() Version {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.version
}

// NumCC is the current number of contexts that n may be called in.
func (r *Reference) NumCC(n Method) *big.Int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count(n, r.version)
}

// pathCount is how many numbers there are for calls by an edge, in a version: numCC of the caller, as it was when
// numCC of the callee was computed.
func (r *Reference) pathCount(e Edge, at Version) *big.Int {
	if e.Caller != e.Callee || r.literal {
		return r.count(e.Caller, at)
	}
	history := r.numCC[e.Callee]
	i := slices.IndexFunc(history, func(h counted) bool { return h.from > at })
	if i < 0 {
		i = len(history)
	}
	if i < 2 {
		return new(big.Int)
	}
	return history[i-2].n
}

func (r *Reference) count(n Method, at Version) *big.Int {
	for _, h := range slices.Backward(r.numCC[n]) {
		if h.from <= at {
			return h.n
		}
	}
	return new(big.Int)
}

func (r *Reference) leftAt(n Method, at Version) Version {
	for _, h := range slices.Backward(r.lv[n]) {
		if h.from <= at {
			return h.v
		}
	}
	return 0
}
