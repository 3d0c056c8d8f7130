package heap

import (
	"cmp"
	"slices"
)

// entry is objects of one class.
type entry struct {
	class Class
	Amount
}

// table is what is in one place, as it came: a class may be there more than once. No table has more than twice as many
// entries as it needs, but for a few.
type table struct {
	entries []entry
	merged  int // entries, each of another class, when that was done last
}

// few entries are not worth being merged.
const few = 256

func (t *table) add(entries []entry) {
	t.entries = append(t.entries, entries...)
	if len(t.entries) > max(few, 2*t.merged) {
		t.merge()
	}
}

// merge puts entries of one class together.
func (t *table) merge() {
	slices.SortFunc(t.entries, func(a, b entry) int { return cmp.Compare(a.class, b.class) })
	kept := t.entries[:0]
	for _, e := range t.entries {
		if n := len(kept); n > 0 && kept[n-1].class == e.class {
			kept[n-1].Amount = kept[n-1].plus(e.Amount)
		} else {
			kept = append(kept, e)
		}
	}
	t.entries, t.merged = kept, len(kept)
}
