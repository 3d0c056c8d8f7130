package diff

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"

	"mallard/internal/profile"
)

// Side is one of the two that are compared.
type Side struct {
	Recordings []*profile.Profile // one or more
	Units      []float64          // how many units each of them ran, above 0; nil: each is one
}

// Query asks for what changed. Its Top is of the rows of the answer; by caller, Mine is needed.
type Query struct {
	profile.Query
	Min float64 // leave out changes below this share, percent, of what the larger side allocated
	All bool    // also rows within the noise, those below Min, and those that did not change
}

// Row is something that both sides, or one of them, allocated at.
type Row struct {
	A, B           *Entry // as a recording of the side has it; nil where none has
	IsMoved        bool   // B has it at another line, or by another name, or so it is with what called it
	Call           int32  // by context: the innermost in the answer's Calls; else -1
	Objects, Bytes Values
}

// Call is a call of a method, which led to rows by context.
type Call struct {
	Parent int32 // the call around it, in the same list before it; -1 for none
	Title  string
}

// Value is what rows are sorted by.
func (r *Row) Value(s profile.Sort) *Values {
	if s == profile.SortObjects {
		return &r.Objects
	}
	return &r.Bytes
}

// Rest is rows that are not listed.
type Rest struct {
	Count          int
	Objects, Bytes Values // sums of means, without spreads
}

func (r *Rest) add(row *Row) {
	r.Count++
	r.Objects.add(&row.Objects)
	r.Bytes.add(&row.Bytes)
}

// Answer is what changed.
type Answer struct {
	Query    Query
	Rows     []Row // the largest change first
	Count    int   // of rows that there are to list, before Top
	Same     int   // rows that did not change, by what they are sorted by
	Noise    Rest  // rows that changed within the noise; none with All
	Small    Rest  // others below Min; the same
	Calls    []Call
	Total    Row // everything recorded
	Selected Row // what passed the filter
}

// Compare says what changed between two sides. Rows with equal changes are in order of their names.
func Compare(a, b *Side, q Query) *Answer {
	answer := &Answer{Query: q}
	all, units := slices.Concat(a.Recordings, b.Recordings), slices.Concat(a.units(), b.units())
	values := func(amounts []amount) (row Row) {
		objects, bytes := make([]int64, len(all)), make([]int64, len(all))
		for i, a := range amounts {
			objects[i], bytes[i] = a.objects, a.bytes
		}
		row.Objects = newValues(objects, len(a.Recordings), units)
		row.Bytes = newValues(bytes, len(a.Recordings), units)
		return row
	}
	total, selected := make([]amount, len(all)), make([]amount, len(all))
	m := &matcher{names: newNames()}
	merged := [2]*tree{}
	for side, recordings := range [][]*profile.Profile{a.Recordings, b.Recordings} {
		for i, p := range recordings {
			whole := q.Query
			if whole.Top = 0; whole.By == profile.ByContext {
				whole.Mine = nil // calls are paired one by one
			}
			rows := p.Rows(whole)
			number := side*len(a.Recordings) + i
			total[number] = amount{p.Total.Objects, p.Total.Bytes}
			selected[number] = amount{rows.Selected.Objects, rows.Selected.Bytes}
			if t := treeOf(p, rows, side); merged[side] == nil {
				merged[side] = t
			} else {
				merged[side].merge(t, m)
			}
		}
	}
	answer.Total, answer.Selected = values(total), values(selected)
	seed := maphash.MakeSeed()
	m.unchanged = newCode(seed, a.Recordings, m.names).unchanged(newCode(seed, b.Recordings, m.names))
	merged[0].merge(merged[1], m)
	whole := answer.Selected.Value(q.Sort)
	least := q.Min / 100 * max(whole.A, whole.B)
	calls := make([]int32, len(merged[0].nodes))
	for i := range merged[0].nodes {
		n := &merged[0].nodes[i]
		parent := int32(-1)
		if n.parent >= 0 {
			parent = calls[n.parent]
		}
		if n.title != "" {
			calls[i] = int32(len(answer.Calls))
			answer.Calls = append(answer.Calls, Call{parent, cmp.Or(n.later, n.label).title})
		}
		if n.amounts != nil {
			row := values(n.amounts)
			row.A, row.B, row.IsMoved, row.Call = n.entries[0], n.entries[1], n.isMoved, parent
			answer.add(&row, least)
		}
	}
	slices.SortStableFunc(answer.Rows, func(x, y Row) int { return compareRows(&x, &y, q.Sort) })
	answer.Count = len(answer.Rows)
	if q.Top > 0 && answer.Count > q.Top {
		answer.Rows = answer.Rows[:q.Top]
	}
	return answer
}

func (s *Side) units() []float64 {
	if s.Units == nil {
		return slices.Repeat([]float64{1}, len(s.Recordings))
	}
	return s.Units
}

// add sorts a row into the answer.
func (a *Answer) add(row *Row, least float64) {
	value := row.Value(a.Query.Sort)
	switch {
	case value.Change() == 0:
		a.Same++
		if !a.Query.All {
			return
		}
	case a.Query.All:
	case !value.IsSure():
		a.Noise.add(row)
		return
	case math.Abs(value.Change()) < least:
		a.Small.add(row)
		return
	}
	a.Rows = append(a.Rows, *row)
}

// compareRows puts the larger change first, then the larger row.
func compareRows(x, y *Row, sort profile.Sort) int {
	other := profile.SortObjects
	if sort == profile.SortObjects {
		other = profile.SortBytes
	}
	larger := func(s profile.Sort) int {
		a, b := x.Value(s), y.Value(s)
		return cmp.Compare(math.Abs(b.Change()), math.Abs(a.Change()))
	}
	return cmp.Or(larger(sort), larger(other), cmp.Compare(y.Value(sort).B, x.Value(sort).B))
}
