package view

import (
	"container/heap"
	"fmt"
	"strconv"
)

// Bounds of a piece: how many frames it has, and how many pixels wide a graph is.
const (
	mostFrames = 4000
	leastWidth = 50
	mostWidth  = 10000
)

// leastPixels is how wide a frame is at least that is kept apart.
const leastPixels = 0.7

// Tree is what a piece is of.
type Tree string

// The trees.
const (
	Calls   Tree = "calls"   // from the outermost methods on
	Classes Tree = "classes" // from allocated classes to what made them
	Callers Tree = "callers" // from a method to what called it
	Callees Tree = "callees" // from a method to what it called
)

// PieceQuery asks for a piece of a tree.
type PieceQuery struct {
	Query
	Options
	Tree   Tree
	Method string // of callers and callees: the key of the method
	Path   string // to the frame whose piece it is
	Width  int    // of the graph, pixels
}

// Piece is a frame with what is above it, the largest first, in numbers that data.js says more of.
type Piece struct {
	// title, kind and key of each name
	Names []PieceName `json:"names"`
	// from the root to the frame: number of the name, objects, bytes, invocations or how many it stands for
	Trail [][4]int64 `json:"trail"`
	// what is above it, in preorder: levels that the parent is above the frame before, number of the name, objects,
	// bytes, invocations, or how many it stands for, and 1 where there may be more above it than is said here
	Frames []int64  `json:"frames"`
	IsCut  bool     `json:"cut"`   // of the frame itself
	Total  [2]int64 `json:"total"` // objects and bytes of all that is selected
}

// PieceName is what frames are called.
type PieceName struct {
	Title string `json:"title"`
	Kind  string `json:"kind"` // method, class, folded or smaller; "" for the root
	Key   string `json:"key"`
	Own   bool   `json:"own,omitempty"` // the method is the user's
	// what stands without a line in the title, where lines are told apart
	Method string `json:"method,omitempty"`
}

var kindNames = [...]string{ofMethod: "method", ofClass: "class", folded: "folded", smaller: "smaller"}

// Piece gives a piece of a tree. Its error is ErrPath.
func (r *Recording) Piece(q PieceQuery) (*Piece, error) {
	b := r.builder(r.selected(q.Query), q.Options)
	b.steps *= 4 // for the way to the frame
	root, err := b.root(q)
	if err != nil {
		return nil, err
	}
	trail, err := b.along(root, q.Path)
	if err != nil {
		return nil, err
	}
	focus := trail[len(trail)-1]
	b.steps = mostSteps
	b.fill(focus, max(leastWidth, min(q.Width, mostWidth)))
	w := pieceWriter{builder: b, numbers: map[pieceKey]int64{}}
	w.piece.Total = [2]int64{b.total.objects, b.total.bytes}
	w.piece.IsCut = focus.isCut
	w.piece.Names = []PieceName{}
	w.piece.Frames = []int64{}
	for _, f := range trail {
		w.piece.Trail = append(w.piece.Trail, [4]int64{w.name(f), f.objects, f.bytes, f.number()})
	}
	w.add(focus, 0)
	return &w.piece, nil
}

// root gives the frame that a tree begins with.
func (b *builder) root(q PieceQuery) (*frame, error) {
	method := int32(-1)
	if q.Tree == Callers || q.Tree == Callees {
		if method = b.method(q.Method); method < 0 {
			return nil, fmt.Errorf("no such method: %w", ErrPath)
		}
	}
	switch q.Tree {
	case Calls:
		return b.callRoot(), nil
	case Classes:
		return b.classRoot(), nil
	case Callers:
		return b.callerRoot(method), nil
	case Callees:
		return b.calleeRoot(method), nil
	}
	return nil, fmt.Errorf("tree %q: %w", q.Tree, ErrPath)
}

// fill makes what is above a frame and wide enough to be seen, the largest first.
func (b *builder) fill(focus *frame, width int) {
	b.least = max(1, int64(float64(b.value(focus.amount))*leastPixels/float64(width)))
	pending := frameHeap{builder: b, list: []*frame{focus}}
	for frames := 0; len(pending.list) > 0; {
		f := heap.Pop(&pending).(*frame)
		if frames >= mostFrames {
			f.isCut = f.kind != ofClass || f.places != nil
			f.made = nil
			continue
		}
		all := b.grow(f)
		rest := b.rest(all, b.least)
		if rest != nil && rest.count == len(all) && f.kind == smaller {
			rest = b.behind(all, mostFrames) // none of them is large: they are what was asked for
		}
		if rest != nil {
			all = all[:len(all)-rest.count]
		}
		f.made = all
		frames += len(all)
		for _, above := range all {
			heap.Push(&pending, above)
		}
		if rest != nil {
			rest.isCut, rest.made = rest.made != nil, nil
			f.made = append(all[:len(all):len(all)], rest)
			frames++
		}
	}
}

// number is how many calls, or frames, it stands for.
func (f *frame) number() int64 {
	if f.kind == smaller {
		return int64(f.count)
	}
	return f.calls
}

// frameHeap has the largest frame first.
type frameHeap struct {
	*builder
	list []*frame
}

func (h *frameHeap) Len() int           { return len(h.list) }
func (h *frameHeap) Less(i, j int) bool { return h.value(h.list[i].amount) > h.value(h.list[j].amount) }
func (h *frameHeap) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *frameHeap) Push(f any)         { h.list = append(h.list, f.(*frame)) }

func (h *frameHeap) Pop() any {
	last := len(h.list) - 1
	f := h.list[last]
	h.list = h.list[:last]
	return f
}

// pieceWriter writes frames in preorder.
type pieceWriter struct {
	*builder
	piece   Piece
	numbers map[pieceKey]int64
	depth   int // of the last frame
}

type pieceKey struct {
	name
	limit int64
}

func (w *pieceWriter) name(f *frame) int64 {
	key := pieceKey{f.name, f.limit}
	n, known := w.numbers[key]
	if known {
		return n
	}
	n = int64(len(w.piece.Names))
	w.numbers[key] = n
	p := PieceName{Title: w.title(f.name), Kind: kindNames[f.kind], Key: w.key(f.name)}
	switch f.kind {
	case smaller:
		p.Title, p.Key = "… smaller", "~"+strconv.FormatInt(f.limit, 10)
	case ofMethod:
		p.Own = w.mine[f.index]
		if f.line >= 0 {
			p.Method = w.key(name{ofMethod, f.index, -1})
		}
	}
	w.piece.Names = append(w.piece.Names, p)
	return n
}

// add adds what is above a frame, whose depth is 0.
func (w *pieceWriter) add(of *frame, depth int) {
	for _, f := range of.made {
		cut := int64(0)
		if f.isCut {
			cut = 1
		}
		w.piece.Frames = append(w.piece.Frames, int64(w.depth-depth), w.name(f), f.objects, f.bytes, f.number(), cut)
		w.depth = depth + 1
		w.add(f, depth+1)
	}
}
