package single

import "iter"

// Seen is an object as a walk has found it.
type Seen struct {
	Object
	Moved bool // by the collector, since the walk before; else born there
	New   bool // its order was given by this walk
}

// pieceObjects are as many as are in a piece of a list.
const pieceObjects = 1 << 12

// list is objects in pieces, of which only the first is copied while it grows.
type list struct {
	pieces [][]Seen // each of pieceObjects, but the last
	n      int
}

// pool is pieces that nobody uses.
type pool struct{ pieces [][]Seen }

// add appends an object.
func (l *list) add(from *pool, s Seen) {
	i := l.n / pieceObjects
	if i == len(l.pieces) {
		piece := []Seen(nil) // the first one grows: there may be many lists
		if n := len(from.pieces); n > 0 {
			piece, from.pieces = from.pieces[n-1], from.pieces[:n-1]
		} else if i > 0 {
			piece = make([]Seen, 0, pieceObjects)
		}
		l.pieces = append(l.pieces, piece)
	}
	l.pieces[i] = append(l.pieces[i], s)
	l.n++
}

// truncate leaves the first objects.
func (l *list) truncate(to *pool, n int) {
	keep := (n + pieceObjects - 1) / pieceObjects
	for _, piece := range l.pieces[keep:] {
		to.pieces = append(to.pieces, piece[:0])
	}
	l.pieces = l.pieces[:keep]
	if rest := n % pieceObjects; rest > 0 {
		l.pieces[keep-1] = l.pieces[keep-1][:rest]
	}
	l.n = n
}

// at gives an object by its index.
func (l *list) at(i int) *Seen { return &l.pieces[i/pieceObjects][i%pieceObjects] }

// all gives the objects, by their indices.
func (l *list) all() iter.Seq2[int, *Seen] {
	return func(yield func(int, *Seen) bool) {
		for at, piece := range l.pieces {
			for i := range piece {
				if !yield(at*pieceObjects+i, &piece[i]) {
					return
				}
			}
		}
	}
}
