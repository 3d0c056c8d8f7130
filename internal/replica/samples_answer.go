package replica

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/heap"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// What is a finding of samples.
const (
	FewestPairs  = 20   // fewer say nothing
	FindingShare = 0.6  // of the largest group
	findingBytes = 0.01 // of all bytes that were sampled, that copies have
)

// SampledQuery asks for rows of samples.
type SampledQuery struct {
	ByContext bool   // rows are stacks, else sites
	ByReads   bool   // reads of copies put rows in order, else bytes of copies
	Top       int    // keep this many rows, 0 for all
	Class     string // only classes whose name matches this pattern; empty for all
}

// SampledAnswer is what samples say.
type SampledAnswer struct {
	SampledQuery
	Rows          []SampledRow
	Count         int // of rows, before Top
	Watched       int64
	Pairs         int64
	Lost, Damaged int64
	Whole         int64 // objects that were looked at whole
	// of the bytes that all samples stand for, those of rows of which something is known, and of these the ones that
	// copies have
	Compared, Copied float64
	bytes            int64 // that samples stand for, of all rows
}

// SampledRow is objects of one class that one site, or stack, has made.
type SampledRow struct {
	Class string // in Java's words
	// that made most of those that were watched, innermost first; of a site, an example. It is never empty
	Stack   []symbols.Frame
	Watched int64
	All     heap.Amount // as the site has counted them; else what was watched stands for so many
	Counted bool        // it is what the site has counted
	Whole   Whole
	AsWhole WholeEstimate // from Whole
	Pairs
	Estimate
	// what keeping one of each contents would save: from Whole, where enough were looked at; else the least that the
	// largest group has, the share of pairs that are copies. How many objects of arrays nobody knows: 0
	Copies       heap.Amount
	Reads        int64     // that the first objects of pairs stand for, of those that code saw
	CopiesRead   int64     // of these, of copies
	Accesses     []Access  // with most pairs first
	Examples     []Example // contents that most pairs had, those first; none where none were recorded
	SampledShare float64   // of all bytes that samples stand for
	worth        int64
}

// Access is a stack that has read objects of a row.
type Access struct {
	Stack []symbols.Frame // innermost first
	Pairs
	Theta      float64 // of these pairs
	Reads      int64   // as of the row
	CopiesRead int64
}

// IsJudged reports whether enough is known of a row to say whether it is a finding.
func (r *SampledRow) IsJudged() bool { return r.IsByWhole() || r.Count() >= FewestPairs }

// IsByWhole reports whether enough were looked at whole, so that pairs need not be asked which are copies.
func (r *SampledRow) IsByWhole() bool { return r.Whole.Objects >= FewestPairs }

// IsArray reports whether a row is of arrays. These may have several lengths, and what is drawn by bytes tells shares
// of bytes: of objects of one size that is the same as of objects.
func (r *SampledRow) IsArray() bool { return strings.HasSuffix(r.Class, "[]") }

// hasMost reports whether copies have most of a row's bytes, if enough is known of it; or, as far as only pairs say so,
// whether the largest group has.
func (r *SampledRow) hasMost() bool {
	if r.IsByWhole() {
		return r.AsWhole.Repeated >= FindingShare
	}
	return r.Gamma >= FindingShare
}

// copied is the share of a row's bytes that copies have; NaN where nothing is known. Of a few objects that were looked
// at it is what is sure.
func (r *SampledRow) copied() float64 {
	switch {
	case r.IsByWhole():
		return r.AsWhole.Repeated
	case !math.IsNaN(r.Copied):
		return r.Copied
	}
	return r.AsWhole.RepeatedLow
}

// IsFinding reports whether copies have most of a row's bytes, as far as enough is known of it, and a share of all.
func (r *SampledRow) IsFinding() bool {
	return r.IsJudged() && r.hasMost() && r.SampledShare*r.copied() >= findingBytes
}

// IsLookalike reports whether what is read of a row's objects is mostly equal, and the objects are not.
func (r *SampledRow) IsLookalike() bool {
	return r.Count() >= FewestPairs && r.Theta >= FindingShare && !r.hasMost()
}

// sampledKey tells rows apart.
type sampledKey struct{ class, at string }

// Ask answers; a recording's sites say how many objects there were.
func (s *Samples) Ask(p *profile.Profile, q SampledQuery) *SampledAnswer {
	a := &SampledAnswer{SampledQuery: q, Lost: s.Lost, Damaged: s.Damaged}
	rows := map[sampledKey]*SampledRow{}
	most := map[sampledKey]int64{} // watched of the stack that the row shows
	bytes := map[sampledKey]int64{}
	for _, number := range slices.Sorted(maps.Keys(s.made)) {
		stack, made := s.stacks[number], s.made[number]
		if stack == nil || len(stack.Frames) == 0 {
			continue
		}
		key := stack.key(q.ByContext)
		row := rows[key]
		if row == nil {
			row = &SampledRow{Class: key.class}
			rows[key] = row
		}
		a.Watched = plus(a.Watched, made.watched)
		row.Watched = plus(row.Watched, made.watched)
		row.All = heap.Sum(row.All, heap.Amount{Objects: made.objects, Bytes: made.bytes})
		bytes[key] = plus(bytes[key], made.bytes)
		a.bytes = plus(a.bytes, made.bytes)
		if row.Stack == nil || made.watched > most[key] {
			most[key], row.Stack = made.watched, stack.frames()
		}
	}
	s.compare(a, rows)
	s.count(a, rows)
	s.exemplify(a, rows)
	counts := newSiteCounts(p)
	for _, key := range slices.SortedFunc(maps.Keys(rows), func(x, y sampledKey) int { // sums are the same each time
		return cmp.Or(cmp.Compare(x.class, y.class), cmp.Compare(x.at, y.at))
	}) {
		row := rows[key]
		if !q.ByContext {
			if amount, ok := counts[siteOf(row.Class, row.Stack[0])]; ok {
				row.All, row.Counted = amount, true
			}
		}
		share := float64(bytes[key]) / float64(max(a.bytes, 1))
		if row.finish(share); !math.IsNaN(row.copied()) {
			a.Compared += share
			a.Copied += share * row.copied()
		}
		row.worth = row.Copies.Bytes
		if q.ByReads {
			row.worth = row.CopiesRead
		}
		if profile.MatchName(q.Class, row.Class) {
			a.Rows = append(a.Rows, *row)
		}
	}
	slices.SortFunc(a.Rows, func(x, y SampledRow) int {
		return cmp.Or(cmp.Compare(y.worth, x.worth), cmp.Compare(y.All.Bytes, x.All.Bytes),
			cmp.Compare(x.Class, y.Class), cmp.Compare(titles(x.Stack), titles(y.Stack)))
	})
	if a.Compared > 0 {
		a.Copied /= a.Compared
	}
	if a.Count = len(a.Rows); q.Top > 0 && q.Top < a.Count {
		a.Rows = a.Rows[:q.Top]
	}
	return a
}

// rowOf is the row of what a stack has made; nil: there is none.
func (s *Samples) rowOf(made uint32, a *SampledAnswer, rows map[sampledKey]*SampledRow) *SampledRow {
	stack := s.stacks[made]
	if stack == nil || len(stack.Frames) == 0 {
		return nil
	}
	return rows[stack.key(a.ByContext)]
}

// compare adds pairs to the rows that the second ones are of.
func (s *Samples) compare(a *SampledAnswer, rows map[sampledKey]*SampledRow) {
	accesses := map[*SampledRow]map[string]*Access{}
	for _, key := range slices.SortedFunc(maps.Keys(s.pairs), func(x, y [2]uint32) int {
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	}) {
		pairs := s.pairs[key]
		row, read := s.rowOf(key[0], a, rows), s.stacks[key[1]]
		if row == nil || read == nil || len(read.Frames) == 0 {
			continue
		}
		a.Pairs = plus(a.Pairs, pairs.Count())
		row.Pairs.Add(pairs.Pairs)
		row.Reads = plus(row.Reads, pairs.reads)
		if accesses[row] == nil {
			accesses[row] = map[string]*Access{}
		}
		stack := read.frames()
		title := titles(stack)
		access := accesses[row][title]
		if access == nil {
			access = &Access{Stack: stack}
			accesses[row][title] = access
		}
		access.Add(pairs.Pairs)
		access.Reads = plus(access.Reads, pairs.reads)
		access.CopiesRead = plus(access.CopiesRead, copiesRead(pairs.equalReads, pairs.Pairs))
	}
	for row, list := range accesses {
		for _, title := range slices.Sorted(maps.Keys(list)) {
			access := list[title]
			access.Theta = float64(access.Equal) / float64(max(access.Count(), 1))
			row.CopiesRead = plus(row.CopiesRead, access.CopiesRead)
			row.Accesses = append(row.Accesses, *access)
		}
		slices.SortStableFunc(row.Accesses, func(x, y Access) int { return cmp.Compare(y.Count(), x.Count()) })
	}
}

// count gives rows what was looked at whole.
func (s *Samples) count(a *SampledAnswer, rows map[sampledKey]*SampledRow) {
	all := map[*SampledRow]map[uint64]int64{}
	for made, of := range s.whole {
		row := s.rowOf(made, a, rows)
		if row == nil {
			continue
		}
		if all[row] == nil {
			all[row] = map[uint64]int64{}
		}
		for hash, n := range of {
			all[row][hash] = plus(all[row][hash], n)
		}
	}
	for row, objects := range all {
		row.Whole = newWhole(objects)
		a.Whole = plus(a.Whole, row.Whole.Objects)
	}
}

// exemplify gives rows the contents of what was equal.
func (s *Samples) exemplify(a *SampledAnswer, rows map[sampledKey]*SampledRow) {
	all := map[*SampledRow]map[uint64]sampledValue{}
	for _, made := range slices.Sorted(maps.Keys(s.values)) {
		row := s.rowOf(made, a, rows)
		if row == nil {
			continue
		}
		if all[row] == nil {
			all[row] = map[uint64]sampledValue{}
		}
		for hash, v := range s.values[made] {
			all[row][hash] = sampledValue{plus(all[row][hash].pairs, v.pairs), v.contents}
		}
	}
	for row, values := range all {
		var list []Example
		for _, hash := range slices.Sorted(maps.Keys(values)) {
			list = append(list, Example{values[hash].pairs, values[hash].contents})
		}
		row.Examples = mostFirst(list)
	}
}

// copiesRead gives, of what was read of equal pairs, what was of copies.
func copiesRead(equal int64, p Pairs) int64 {
	known := plus(p.Copies, p.Partial)
	if known == 0 {
		return 0
	}
	return int64(float64(equal) * float64(p.Copies) / float64(known))
}

// finish says what follows of pairs.
func (r *SampledRow) finish(share float64) {
	objects := int64(0)
	if r.Counted {
		objects = r.All.Objects
	}
	r.Estimate, r.SampledShare = r.Pairs.Estimate(objects), share
	r.AsWhole = r.Whole.Estimate(objects)
	copies := r.copied()
	if math.IsNaN(copies) {
		copies = 0
	}
	r.Copies = heap.Amount{Bytes: int64(copies * float64(r.All.Bytes))}
	if !r.IsArray() {
		r.Copies.Objects = int64(copies * float64(r.All.Objects))
	}
}

// key tells what stacks make apart.
func (s *SampledStack) key(byContext bool) sampledKey {
	frames := s.Frames
	if !byContext {
		frames = frames[:1]
	}
	var at strings.Builder
	for _, f := range frames {
		at.WriteString(f.Class + "." + f.Method + f.Descriptor + ":" + strconv.FormatUint(uint64(f.Line), 10) + ";")
	}
	return sampledKey{symbols.TypeName(internalType(s.Class)), at.String()}
}

// internalType is the internal form of a type that a descriptor names.
func internalType(descriptor string) string {
	if class, ok := strings.CutPrefix(descriptor, "L"); ok {
		return strings.TrimSuffix(class, ";")
	}
	return descriptor
}

// frames are a stack's, as reports have them.
func (s *SampledStack) frames() []symbols.Frame {
	list := make([]symbols.Frame, len(s.Frames))
	for i, f := range s.Frames {
		line := int32(-1)
		if f.Line > 0 && f.Line <= math.MaxInt32 {
			line = int32(f.Line)
		}
		list[i] = symbols.Frame{Method: &symbols.Method{Class: symbols.ClassName(f.Class), Name: f.Method,
			Descriptor: f.Descriptor}, BCI: -1, Line: line}
	}
	return list
}

func titles(stack []symbols.Frame) string {
	var b strings.Builder
	for _, f := range stack {
		b.WriteString(f.Title() + ":" + strconv.Itoa(int(f.Line)) + ";")
	}
	return b.String()
}

// codeSite is a line that makes objects of a class.
type codeSite struct {
	made, class, method, descriptor string
	line                            int32
}

func siteOf(made string, f symbols.Frame) codeSite {
	return codeSite{made, f.Class, f.Name, f.Descriptor, f.Line}
}

// newSiteCounts gives what sites have counted.
func newSiteCounts(p *profile.Profile) map[codeSite]heap.Amount {
	counts := map[codeSite]heap.Amount{}
	for _, row := range p.Rows(profile.Query{By: profile.BySite}).Rows {
		s := row.Site
		key := codeSite{s.Type, s.Class, s.Method, s.Descriptor, s.Line}
		counts[key] = heap.Sum(counts[key], heap.Amount{Objects: row.Amount.Objects, Bytes: row.Amount.Bytes})
	}
	return counts
}
