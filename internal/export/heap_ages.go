package export

import (
	"fmt"
	"strconv"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// age is one in a unit.
type age struct {
	unit    string // in JSON
	value   any
	text    string
	atLeast bool // more is not known
}

// String prints 3, or >=3.
func (a age) String() string { return map[bool]string{true: ">="}[a.atLeast] + a.text }

// MarshalJSON is {"at_least":false,"seconds":3}.
func (a age) MarshalJSON() ([]byte, error) {
	return marshal(map[string]any{a.unit: a.value, "at_least": a.atLeast}, "")
}

func inCollections(n int64, _ heapForm) age {
	return age{unit: "collections", value: n, text: strconv.FormatInt(n, 10)}
}

func inSeconds(nanos int64, _ heapForm) age {
	seconds := float64(nanos) / 1e9
	return age{unit: "seconds", value: seconds, text: strconv.FormatFloat(seconds, 'f', 3, 64)}
}

func inBytes(n int64, form heapForm) age {
	if form == inText {
		return age{text: roundBytes(float64(n))}
	}
	return age{unit: "bytes", value: n, text: strconv.FormatInt(n, 10)}
}

// units are what ages are told in.
var units = []struct {
	name, title string
	of          func(*heap.AgesRow) *heap.Spread
	age         func(int64, heapForm) age
}{
	{"", "", func(r *heap.AgesRow) *heap.Spread { return &r.Collections }, inCollections},
	{"_seconds", " s", func(r *heap.AgesRow) *heap.Spread { return &r.Time }, inSeconds},
	{"_allocated", " allocated", func(r *heap.AgesRow) *heap.Spread { return &r.Allocated }, inBytes},
}

// survivalAt are the collections after which the table says how many objects are left; First% has the first one.
var survivalAt = []int64{2, 4, 8, 16}

// NewAgesReport is how long single objects live.
func NewAgesReport(file string, p *profile.Profile, h *heap.History, answer *heap.Ages) *HeapReport {
	type row = heap.AgesRow
	r := newHeapReport(file, p, h, "lifetimes", answer.Query)
	r.head.Selected = newJSONHeapSum(answer.Met)
	r.facts.add("Lifetimes", "of single objects, "+heapAmount(answer.Met)+", that a collection has come to")
	r.addSpan("what was born by pauses that began")
	r.facts.add("Columns", "collections come through, seconds (s), what was allocated meanwhile; "+
		"2+%: come through two or more")
	r.addUnknownAges(answer.Unknown, &answer.Gaps, "First%% is too low, 2+%% and so on are too high")
	columns := amountColumns("", "", func(r row) heap.Amount { return r.Met })
	columns = append(columns, heapColumn[row]{name: "died_first_percent", title: "First%", unit: profile.Share,
		value: func(r row) any { return percentOf(r.Soon.Objects, r.Met.Objects) }})
	for _, to := range survivalAt {
		columns = append(columns, heapColumn[row]{name: fmt.Sprintf("survive_%d_percent", to),
			title: fmt.Sprintf("%d+%%", to), unit: profile.Share, value: func(r row) any {
				if share, known := r.Collections.Survival(to); known {
					return 100 * share
				}
				return nil
			}})
	}
	for _, unit := range units {
		for _, q := range []struct {
			name, title string
			share       float64
		}{{"median", "Median", 0.5}, {"age_90", "90%", 0.9}} {
			for _, form := range []heapForm{inText, inJSON | inCSV} {
				columns = append(columns, heapColumn[row]{name: q.name + unit.name, title: q.title + unit.title,
					unit: profile.Number, only: form, value: func(r row) any {
						n, atLeast := unit.of(&r).Quantile(q.share)
						a := unit.age(n, form)
						a.atLeast = atLeast
						return a
					}})
			}
		}
	}
	r.addSited(answer.Sited)
	r.addDeaths(answer.Deaths, "in all")
	r.rows = heapTable(answer.Rows, append(columns, keyColumns(h, &answer.Query, row.Key)...))
	r.counts(answer.Count, classNoun(&answer.Query), answer.Sort.String())
	return r
}
