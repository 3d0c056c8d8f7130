package metrics

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/profile"
)

// other stands for names that have no series.
const other = "other"

// family is series of one kind, by name: of packages, of classes, of transactions.
type family struct {
	series map[string]*series
	room   int // for more names, beside other
}

// series is what is known of a name. What a method counts ahead of an allocation that is never made is taken back at
// the end: a counter stands still then, until there is more.
type series struct{ actual, shown profile.Amount }

func newFamily(room int) *family {
	return &family{series: map[string]*series{other: {}}, room: room}
}

// add adds what was allocated in a span. Of new names the largest have series of their own, half as many as there is
// room for, so that there is some for later ones; before that, what they allocate is in other.
func (f *family) add(amounts map[string]profile.Amount) {
	names := slices.SortedFunc(maps.Keys(amounts), func(a, b string) int {
		return cmp.Or(cmp.Compare(amounts[b].Bytes, amounts[a].Bytes), cmp.Compare(a, b))
	})
	admitted := (f.room + 1) / 2
	for _, name := range names {
		s := f.series[name]
		if s == nil && admitted > 0 {
			admitted--
			f.room--
			s = &series{}
			f.series[name] = s
		}
		if s == nil {
			s = f.series[other]
		}
		s.actual.Add(amounts[name])
	}
	for _, s := range f.series {
		s.shown.Objects = max(s.shown.Objects, s.actual.Objects)
		s.shown.Bytes = max(s.shown.Bytes, s.actual.Bytes)
	}
}
