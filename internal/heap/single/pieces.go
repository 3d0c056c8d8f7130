package single

import "slices"

// pieceLength is as many as are in a piece.
const pieceLength = 1 << 12

// pieces is a list of which only the first piece is copied while it grows.
type pieces[T any] struct {
	list [][]T // each of pieceLength, but the last
	n    int
}

// pool is pieces that nobody uses.
type pool[T any] struct{ list [][]T }

// keep lets all go but so many.
func (p *pool[T]) keep(pieces int) {
	if len(p.list) > pieces {
		clear(p.list[pieces:])
		p.list = p.list[:pieces]
	}
}

// add appends one, in a piece of a pool where it needs another; nil: there is none.
func (p *pieces[T]) add(from *pool[T], v T) {
	if p.n%pieceLength == 0 {
		p.list = append(p.list, p.another(from))
	}
	last := &p.list[len(p.list)-1]
	*last = append(*last, v)
	p.n++
}

// extend appends some, at least one and so many at most, which are to be filled in.
func (p *pieces[T]) extend(from *pool[T], most int) []T {
	if p.n%pieceLength == 0 {
		p.list = append(p.list, p.another(from))
	}
	last := &p.list[len(p.list)-1]
	n := len(*last)
	more := min(most, pieceLength-n)
	*last = slices.Grow(*last, more)[:n+more]
	p.n += more
	return (*last)[n:]
}

// another gives an empty piece. The first one grows: there may be many lists.
func (p *pieces[T]) another(from *pool[T]) (piece []T) {
	switch {
	case from != nil && len(from.list) > 0:
		n := len(from.list)
		piece, from.list = from.list[n-1], from.list[:n-1]
	case p.n > 0:
		piece = make([]T, 0, pieceLength)
	}
	return piece
}

// truncate leaves the first ones.
func (p *pieces[T]) truncate(to *pool[T], n int) {
	keep := (n + pieceLength - 1) / pieceLength
	if to != nil {
		for _, piece := range p.list[keep:] {
			to.list = append(to.list, piece[:0])
		}
	}
	clear(p.list[keep:])
	p.list = p.list[:keep]
	if rest := n % pieceLength; rest > 0 {
		p.list[keep-1] = p.list[keep-1][:rest]
	}
	p.n = n
}

// at gives one by its index.
func (p *pieces[T]) at(i int) *T { return &p.list[i/pieceLength][i%pieceLength] }
