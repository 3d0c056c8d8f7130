package bytecode

import (
	"cmp"
	"fmt"
	"slices"
)

// layoutRank is the order of insertions before one instruction.
var layoutRank = [...]uint8{FallThrough: 0, Taken: 1, Always: 2}

// sortInsertions checks the insertions and notes the order in which their code
// comes to stand. Those before one instruction keep their order.
func (w *rewriter) sortInsertions() error {
	all := w.insertions
	for k := range all {
		if err := w.old.check(&all[k]); err != nil {
			return fmt.Errorf("insertion %d, %s at %d: %w", k, all[k].Position, all[k].At, err)
		}
		w.order = append(w.order, int32(k))
	}
	slices.SortFunc(w.order, func(a, b int32) int {
		x, y := &all[a], &all[b]
		return cmp.Or(cmp.Compare(x.At, y.At), cmp.Compare(layoutRank[x.Position], layoutRank[y.Position]),
			cmp.Compare(a, b))
	})
	return nil
}
