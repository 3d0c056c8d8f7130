package profile

import (
	"fmt"
	"io"
	"time"

	"mallard/internal/trace"
)

// TimeQuery asks what was allocated when.
type TimeQuery struct {
	Every          time.Duration // least length of an interval; 0 for a round one that makes about 40 of them
	EveryBytecodes int64         // the same in bytecodes, if Every is 0; for recordings with Profile.ProgramBytecodes
	Parts          bool          // tell the rows of Query apart
	Query                        // whose filter selects
}

// Timeline is what was allocated between snapshots. The intervals follow each other without a gap, and their sum is
// what the recording has in all.
//
// An interval ends at a snapshot, in which all threads were looked at one after the other while they ran on: what an
// invocation had counted ahead of itself then, or not counted yet, is in one interval or the next. The last interval
// has what live frames say.
type Timeline struct {
	Query     TimeQuery
	Rows      []Row // the largest of all together, with Parts
	Count     int   // how many there are
	Intervals []Interval
}

// Interval is a span of time from the start of the recording on.
type Interval struct {
	From, To time.Duration

	// bytecodes that classes of the program had executed, where snapshots were taken by them
	FromBytecodes, ToBytecodes int64

	Amount Amount   // of all that was selected
	Parts  []Amount // by Timeline.Rows
}

// OverTime reads the recording of p again and says when it allocated. Rows by context are not told apart.
func (p *Profile) OverTime(r io.Reader, q TimeQuery) (*Timeline, error) {
	reader, err := trace.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	return p.overTime(reader.Next, q)
}

// SpanOverTime is OverTime for a Profile that FoldSpan made.
func (p *Profile) SpanOverTime(file *trace.File, q TimeQuery) (*Timeline, error) {
	reader, err := file.From(int64(p.Span.From))
	if err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	return p.overTime(reader.Next, q)
}

func (p *Profile) overTime(next func() (trace.Record, error), q TimeQuery) (*Timeline, error) {
	span := Span{To: p.Duration}
	if p.Span != nil {
		span = *p.Span
	}
	switch {
	case q.Every > 0 || p.ProgramBytecodes == 0:
		q.EveryBytecodes = 0
	case q.EveryBytecodes <= 0:
		q.EveryBytecodes = roundUp(p.ProgramBytecodes / defaultIntervals)
	}
	if q.Every <= 0 && q.EveryBytecodes == 0 {
		q.Every = roundInterval((span.To - span.From) / defaultIntervals)
	}
	t := &timeFolder{profile: p, folder: newFolder(), timeline: &Timeline{Query: q}, span: span, begun: span.From == 0}
	t.stacks = stackMatcher{filter: &t.timeline.Query.Filter, contexts: t.folder.contexts.Contexts}
	t.choose()
	t.folder.changed = t.add
	err := p.readAgain(next, t.folder, &trace.Snapshots{}, func(at time.Duration, mark *trace.Mark) (goOn bool) {
		t.mark(at, max(int64(mark.Bytecodes), 0))
		return p.Span == nil || at < span.To
	})
	if err != nil {
		return nil, err
	}
	t.end()
	return t.timeline, nil
}

// readAgain gives a folder the records that p is of, and says of each snapshot when it was; until that says no.
func (p *Profile) readAgain(next func() (trace.Record, error), f *folder, snapshots *trace.Snapshots,
	snapshot func(at time.Duration, mark *trace.Mark) (goOn bool)) error {
	for goOn := true; goOn && f.records < p.origin.records; {
		record, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("profile: %w", err)
		}
		f.add(record)
		if nanos, is := snapshots.Ends(record); is {
			goOn = snapshot(time.Duration(nanos), record.(*trace.Mark))
		}
	}
	return nil
}

// defaultIntervals is how many intervals there are where nobody says how long they are, less what rounding makes of it.
const defaultIntervals = 40

// roundInterval gives the next 1, 2 or 5 times a power of ten, a millisecond or more.
func roundInterval(d time.Duration) time.Duration {
	return time.Duration(roundUp(int64((d+time.Millisecond-1)/time.Millisecond))) * time.Millisecond
}

// roundUp gives the next 1, 2 or 5 times a power of ten.
func roundUp(bytecodes int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit >= bytecodes {
				return n * unit
			}
		}
	}
}

// timeFolder reads a recording a second time.
type timeFolder struct {
	profile  *Profile
	folder   *folder
	timeline *Timeline
	span     Span
	begun    bool   // records are of the span
	sites    []bool // by index in Profile.Sites: selected
	parts    map[rowKey]int32
	stacks   stackMatcher
	current  Interval
}

// choose finds the rows that are told apart.
func (t *timeFolder) choose() {
	q := t.timeline.Query
	t.sites = t.profile.selected(Filter{Class: q.Filter.Class, Method: q.Filter.Method}).sites
	if q.Parts {
		answer := t.profile.Rows(q.Query)
		t.timeline.Rows, t.timeline.Count = answer.Rows, answer.Count
		t.parts = map[rowKey]int32{}
		for i, row := range answer.Rows {
			t.parts[q.By.key(row)] = int32(i)
		}
	}
	t.begin(0, 0)
}

func (t *timeFolder) begin(at time.Duration, bytecodes int64) {
	t.current = Interval{From: at, FromBytecodes: bytecodes, Parts: make([]Amount, len(t.timeline.Rows))}
}

// add takes what a thread made at a site; node is the index of the context in the folder, or symbols.Lost.
func (t *timeFolder) add(thread trace.ThreadID, node int32, c cell) {
	if !t.begun {
		return
	}
	o := &t.profile.origin
	index := o.sites[c.site]
	if index < 0 || !t.sites[index] {
		return
	}
	q, site := &t.timeline.Query, &t.profile.Sites[index]
	by, known := o.threads[thread]
	if !known {
		by.Name = mergedThreads
	}
	stack := t.stacks.match(node, site)
	if !q.Filter.thread(&by) || !stack.here || !stack.selected {
		return
	}
	amount := o.sizes[c.site].amount(c)
	t.current.Amount.Add(amount)
	if i := t.part(site, &by, stack.innermost); i >= 0 {
		t.current.Parts[i].Add(amount)
	}
}

// mark ends the interval at a snapshot, if it is long enough. Intervals end at the first snapshots from multiples of
// Every, or EveryBytecodes, on.
func (t *timeFolder) mark(at time.Duration, bytecodes int64) {
	if !t.begun {
		if t.begun = at >= t.span.From; t.begun {
			t.begin(at, bytecodes)
		}
		return
	}
	now, from, every := int64(at), int64(t.current.From), int64(t.timeline.Query.Every)
	if t.timeline.Query.EveryBytecodes > 0 {
		now, from, every = bytecodes, t.current.FromBytecodes, t.timeline.Query.EveryBytecodes
	}
	if now/every == from/every {
		return
	}
	t.current.To, t.current.ToBytecodes = at, bytecodes
	t.timeline.Intervals = append(t.timeline.Intervals, t.current)
	t.begin(at, bytecodes)
}

// end ends the last interval. What came after the last snapshot belongs to the one before if no time has passed.
func (t *timeFolder) end() {
	intervals := t.timeline.Intervals
	t.current.To = max(t.span.To, t.current.From)
	t.current.ToBytecodes = max(t.profile.ProgramBytecodes, t.current.FromBytecodes)
	last := len(intervals) - 1
	more := t.current.To-t.current.From > lastWrite
	if t.timeline.Query.EveryBytecodes > 0 {
		more = t.current.ToBytecodes > t.current.FromBytecodes
	}
	if last < 0 || more {
		t.timeline.Intervals = append(intervals, t.current)
		return
	}
	intervals[last].To, intervals[last].ToBytecodes = t.current.To, t.current.ToBytecodes
	intervals[last].Amount.Add(t.current.Amount)
	for i, part := range t.current.Parts {
		intervals[last].Parts[i].Add(part)
	}
}

// lastWrite is how long the last records of a recording take to be written, more or less.
const lastWrite = 50 * time.Millisecond

// part gives the row of those told apart that a site, a thread and a transaction belong to, -1 for none.
func (t *timeFolder) part(site *Site, thread *Thread, transaction string) int32 {
	by := t.timeline.Query.By
	row, ok := Row{Thread: thread.Title(), Transaction: transaction}, true
	if by != ByThread && by != ByTransaction {
		row, ok = by.row(site)
	}
	if !ok {
		return -1
	}
	if i, known := t.parts[by.key(row)]; known {
		return i
	}
	return -1
}
