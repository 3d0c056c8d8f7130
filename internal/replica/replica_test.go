package replica

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/trace"
)

// event makes one event.
func event(kind uint16, set uint32, rows ...[]byte) *trace.Events {
	data := binary.LittleEndian.AppendUint32(nil, set)
	for _, row := range rows {
		data = append(data, row...)
	}
	return &trace.Events{Observer: Observer, Headers: []trace.EventHeader{{Kind: kind, Bytes: uint32(len(data))}},
		Data: data}
}

func sumsRow(s sums) []byte       { return appendSums(nil, s) }
func groupsRow(g groupRow) []byte { return appendGroup(nil, g) }

func ending(e end) *trace.Events {
	data := e.encode()
	return &trace.Events{Headers: []trace.EventHeader{{Kind: abi.EventReplicaEnd, Bytes: uint32(len(data))}},
		Data: data}
}

// add adds the events of records, and says how often a set was whole.
func add(t *Totals, records ...*trace.Events) (whole int) {
	for _, r := range records {
		for kind, data := range r.All() {
			if _, all := t.Add(kind, data); all {
				whole++
			}
		}
	}
	return whole
}

// first is the number of the first class of heaptest.Demo, demo/Point.
const first = abi.HeapFirstClass

// walk is two groups of a class.
func walk(set uint32, objects int64) []*trace.Events {
	return []*trace.Events{
		event(abi.EventReplicaGroups, set, groupsRow(groupRow{atBirth, first, 8, objects - 1, 24}),
			groupsRow(groupRow{atBirth, first, 5, 1, 24})),
		event(abi.EventReplicaSums, set, sumsRow(sums{atBirth, first, objects, 24 * objects, 2, 0})),
		ending(end{Work: Work{Took: 5, Objects: objects, Walks: 1}, set: set, events: 2}),
	}
}

// lives is three groups of the class, of what has come through a collection.
func lives(set uint32) []*trace.Events {
	return []*trace.Events{
		event(abi.EventReplicaLivedGroups, set, groupsRow(groupRow{lived, first, 8, 4, 24}),
			groupsRow(groupRow{lived, first, 5, 3, 24}), groupsRow(groupRow{lived, first, 6, 2, 24})),
		event(abi.EventReplicaLivedSums, set, sumsRow(sums{lived, first, 9, 9 * 24, 1, 0})),
		ending(end{Work: Work{Took: 5, Objects: 9, Walks: 1}, set: set, events: 2}),
	}
}

// TestRanked: what is long and young is told from what was looked at when it had lived; where nothing was, from how
// many lived.
func TestRanked(t *testing.T) {
	amount := func(objects int64) heap.Amount { return heap.Amount{Objects: objects, Bytes: 10 * objects} }
	of := func(objects, saved int64) Copies { return Copies{Hashed: amount(objects), Saved: amount(saved)} }
	for _, c := range []struct {
		name        string
		row         Row
		long, young float64
	}{
		{"nobody knows how long they live", Row{Copies: of(100, 80)}, 400, 400},
		{"nothing that has lived was looked at", Row{Copies: of(100, 80), Met: amount(50), Soon: amount(40)}, 160, 640},
		{"what lives are copies", Row{Copies: of(100, 50), Lived: of(10, 9), Met: amount(100), Soon: amount(90)}, 90,
			410},
		{"what lives are none", Row{Copies: of(100, 50), Lived: of(10, 0), Met: amount(100), Soon: amount(90)}, 0, 500},
		{"not all that lives was looked at", Row{Copies: of(100, 50), Lived: of(5, 4), Met: amount(100),
			Soon: amount(80)}, 160, 340},
		{"nothing dies", Row{Copies: of(100, 90), Lived: of(100, 50), Met: amount(100)}, 500, 0},
	} {
		if long, young := c.row.SavedLong(), c.row.SavedYoung(); math.Abs(long-c.long)+math.Abs(young-c.young) > 1e-6 {
			t.Errorf("%s: %v long, %v young, want %v, %v", c.name, long, young, c.long, c.young)
		}
	}
}

// TestTotals: walks add up, and what is recorded of them comes to the same.
func TestTotals(t *testing.T) {
	totals := NewTotals()
	totals.Classes, totals.Methods = "demo.*", "Main.at"
	if whole := add(totals, append(append(walk(0, 10), walk(1, 20)...), lives(2)...)...); whole != 3 {
		t.Errorf("%d whole sets, want 3", whole)
	}
	history := heap.NewHistory(heaptest.Demo().All())
	want := []Row{{Class: history.ClassNumbered(first), Copies: Copies{Hashed: heap.Amount{Objects: 30, Bytes: 720},
		Unknown: 4, Groups: 2, Largest: 28, Saved: heap.Amount{Objects: 28, Bytes: 28 * 24}, Sample: 1},
		Lived: Copies{Hashed: heap.Amount{Objects: 9, Bytes: 216}, Unknown: 1, Groups: 3, Largest: 4,
			Saved: heap.Amount{Objects: 6, Bytes: 144}, Sample: 1}}}
	ignore := cmpopts.IgnoreFields(Row{}, "Met", "Soon")
	answer := totals.Ask(history, Query{})
	if diff := cmp.Diff(want, answer.Rows, ignore); diff != "" {
		t.Error(diff)
	}
	again := Read(append(NewTotals().Records(1), totals.Records(2)...))
	if diff := cmp.Diff(answer, again.Ask(history, Query{})); diff != "" {
		t.Errorf("recorded: %s", diff)
	}
	if rows := totals.Ask(history, Query{Class: "java.*"}).Rows; rows != nil {
		t.Errorf("%+v are selected", rows)
	}
}

// TestIncomplete: of a set that lacks events, or its end, nothing counts, and that is said; nothing else is taken from
// recordings but the last whole set.
func TestIncomplete(t *testing.T) {
	all := walk(0, 10)
	totals := NewTotals()
	add(totals, all[0], all[2])     // no sums
	add(totals, all[1], all[2])     // no groups
	add(totals, walk(1, 10)[:2]...) // no end
	add(totals, walk(2, 20)...)
	add(totals, event(77, 3), event(abi.EventReplicaSums, 3, []byte{0x80}), ending(end{set: 3, events: 1}))
	add(totals, event(abi.EventReplicaSums, 4))
	if totals.Incomplete != 4 || totals.Damaged != 1 {
		t.Errorf("%d incomplete, %d damaged, want 4, 1", totals.Incomplete, totals.Damaged)
	}
	only := NewTotals()
	add(only, walk(2, 20)...)
	history := heap.NewHistory(heaptest.Demo().All())
	if diff := cmp.Diff(only.Ask(history, Query{}).Rows, totals.Ask(history, Query{}).Rows); diff != "" {
		t.Errorf("rows of what is not whole: %s", diff)
	}
	if totals.Objects != 20 || totals.Walks != 1 {
		t.Errorf("%d objects of %d walks, want 20 of 1", totals.Objects, totals.Walks)
	}
	if Read(nil) != nil || Read(all[:2]) != nil || Read(all[1:]) != nil {
		t.Error("what is not whole is read")
	}
	if got := Read(append(walk(1, 10), walk(2, 20)[:2]...)); got == nil || got.Objects != 10 {
		t.Errorf("%+v is read, not the set that is whole", got)
	}
}

// defined makes the event of a class as the agent does.
func defined(number, tag uint32, name string) []byte {
	var data []byte
	for _, field := range []uint32{number, 24, tag, 0} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	return append(data, name...)
}

// TestTooLarge: of a set that is too large to be kept until its end nothing is.
func TestTooLarge(t *testing.T) {
	totals := NewTotals()
	row := groupsRow(groupRow{atBirth, first, 8, 1, 24})
	large := event(abi.EventReplicaGroups, 0, bytes.Repeat(row, maxBegun/8/len(row)))
	const events = 9
	for range events {
		add(totals, large)
	}
	if n := totals.begun.bytes; n > 2*maxBegun || totals.begun.kept != nil {
		t.Errorf("%d events are kept", len(totals.begun.kept))
	}
	add(totals, ending(end{Work: Work{Objects: 10, Walks: 1}, events: events}))
	add(totals, walk(1, 10)...)
	if totals.Incomplete != 1 || totals.Objects != 10 || totals.groups != 2 {
		t.Errorf("%d incomplete, %d objects in %d groups, want 1, 10, 2", totals.Incomplete, totals.Objects,
			totals.groups)
	}
}

// TestGone: of two classes that have the same number one after the other each has its own, whatever was recorded in
// between and is recorded at last; where one is there again under another number, it is the same.
func TestGone(t *testing.T) {
	e := heaptest.Demo()
	e.Rows(heaptest.Place{Space: abi.HeapEden}, heaptest.Row{Class: "demo/Second", Objects: 1, Bytes: 24})
	e.Walk(heaptest.Walk{})
	history := heap.NewHistory(e.All())
	second := history.Class(heap.Identity{Name: "demo/Second", Loader: heap.NoLoader})
	one := history.Class(heap.Identity{Name: "demo/Point", Loader: heap.NoLoader})
	gone := binary.LittleEndian.AppendUint32(nil, first)
	const again = first + 7
	for _, between := range []bool{false, true} {
		var records []*trace.Events
		totals := NewTotals()
		totals.Define(abi.EventHeapClass, defined(first, 0, "demo/Point"))
		add(totals, walk(0, 10)...)
		totals.addValue(valueRow{first, 8, Value(point(1))})
		if between {
			records = append(records, totals.Records(1)...)
		}
		records = append(records, totals.Gone(2, gone)...)
		if more := totals.Gone(3, gone); more != nil || totals.groups+totals.values != 0 || len(totals.classes) != 0 {
			t.Errorf("%d groups of %d classes are left", totals.groups, len(totals.classes))
		}
		if killed := Read(records); between && killed.Ask(history, Query{}).Rows[0].Hashed.Objects != 10 {
			t.Errorf("no more came: %+v", killed.Ask(history, Query{}).Rows)
		}
		totals.Define(abi.EventHeapClass, defined(first, 0, "demo/Second"))
		add(totals, walk(1, 30)...)
		totals.Define(abi.EventHeapClass, defined(again, 0, "demo/Point"))
		totals.addSums(sums{atBirth, again, 5, 120, 0, 0})
		totals.addGroup(groupRow{atBirth, again, 8, 5, 24})
		if between {
			records = append(records, totals.Records(3)...)
		}
		records = append(records, totals.Records(4)...)
		got := map[heap.Class][3]int64{}
		read := Read(records)
		for _, row := range read.Ask(history, Query{}).Rows {
			got[row.Class] = [3]int64{row.Hashed.Objects, row.Groups, row.Largest}
		}
		want := map[heap.Class][3]int64{one: {15, 2, 14}, second: {30, 2, 29}}
		if diff := cmp.Diff(want, got); diff != "" || read.Damaged > 0 || read.Objects != 40 {
			t.Errorf("%s; %d damaged, of %d objects", diff, read.Damaged, read.Objects)
		}
		broken := slices.Concat(totals.Records(5), []*trace.Events{{Data: encodeGone(6, 3),
			Headers: []trace.EventHeader{{Kind: abi.EventReplicaGone, Bytes: abi.ReplicaGoneBytes}}}})
		if got := Read(broken); got.Damaged != 1 {
			t.Errorf("%d damaged, where a set is not whole", got.Damaged)
		}
	}
}

// agent is what agent/replicas.c has of one class in a walk: a sample by level, and all that is frequent.
func agent(t *Totals, set uint32, level uint8, groups map[uint64]int64) {
	records, objects, events := []*trace.Events{}, int64(0), int64(1)
	for hash, n := range groups {
		objects += n
		if isSampled(hash, level) || n >= abi.ReplicaFrequent {
			row := groupsRow(groupRow{atBirth, first, hash, n, 24})
			records = append(records, event(abi.EventReplicaGroups, set, row))
			events++
		}
	}
	row := sumsRow(sums{atBirth, first, objects, 24 * objects, 0, level})
	records = append(records, event(abi.EventReplicaSums, set, row),
		ending(end{Work: Work{Objects: objects, Walks: 1}, set: set, events: events}))
	add(t, records...)
}

// TestOthers: what others have made is in no record, nor in that of numbers that are gone; what has no tag is.
func TestOthers(t *testing.T) {
	totals := NewTotals()
	totals.IsOther = func(tag uint32) bool { return tag == 7 }
	totals.Define(abi.EventHeapClass, defined(first, 7, "demo/Point"))
	totals.Define(abi.EventHeapClass, defined(first+1, 8, "demo/Point"))
	totals.Define(abi.EventHeapClass, defined(first+2, 0, "demo/Point"))
	hashed := func() {
		for class := range uint32(3) {
			totals.addGroup(groupRow{atBirth, first + class, 5, 10, 24})
			totals.addSums(sums{atBirth, first + class, 10, 240, 0, 0})
		}
	}
	classes := func(records []*trace.Events) (list []uint32) {
		for _, r := range records {
			for kind, data := range r.All() {
				if kind == abi.EventReplicaClass {
					list = append(list, binary.LittleEndian.Uint32(data[abi.ReplicaClassNumber:])-first)
				}
			}
		}
		return list
	}
	hashed()
	if got := classes(totals.Records(1)); !slices.Equal(got, []uint32{1, 2}) || totals.groups != 2 {
		t.Errorf("recorded are classes %v, kept %d groups", got, totals.groups)
	}
	hashed()
	gone := binary.LittleEndian.AppendUint32(nil, first)
	gone = binary.LittleEndian.AppendUint32(gone, first+1)
	if got := classes(totals.Gone(2, gone)); !slices.Equal(got, []uint32{1}) || totals.groups != 1 {
		t.Errorf("of those that are gone classes %v are recorded, %d groups kept", got, totals.groups)
	}
}

// TestEstimates: from samples groups and copies are known within a few percent, and the largest group to the object.
func TestEstimates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	history := heap.NewHistory(heaptest.Demo().All())
	for _, c := range []struct {
		name                   string
		groups, each, frequent int64 // groups of so many objects, and one of so many
	}{
		{"all different", 200_000, 1, 0},
		{"half are copies", 100_000, 1, 100_000},
		{"pairs", 100_000, 2, 0},
		{"thin groups", 50_000, 12, 0},
		{"frequent ones, but not certain", 20_000, 40, 0},
		{"thin groups and a large one", 50_000, 12, 2_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			totals, groups := NewTotals(), map[uint64]int64{}
			for range c.groups {
				groups[random.Uint64()] = c.each
			}
			if c.frequent > 0 {
				groups[1] = c.frequent
			}
			const walks = 4
			for set := range uint32(walks) {
				agent(totals, set, 4, groups)
			}
			row := totals.Ask(history, Query{}).Rows[0]
			all, want := walks*(c.groups*c.each+c.frequent), float64(len(groups))
			if got := float64(row.Groups); got < 0.95*want || got > 1.05*want {
				t.Errorf("%d groups, want %.0f", row.Groups, want)
			}
			if saved := float64(all) - want; float64(row.Saved.Objects) < saved-0.05*float64(all) ||
				float64(row.Saved.Objects) > saved+0.05*float64(all) {
				t.Errorf("%d are copies of %d, want %.0f", row.Saved.Objects, all, saved)
			}
			if want := walks * max(c.frequent, c.each); row.Largest != want {
				t.Errorf("the largest has %d, want %d", row.Largest, want)
			}
			if !row.Estimated || row.Sample != 16 || row.Hashed.Objects != all {
				t.Errorf("%+v", row)
			}
		})
	}
}

// TestBounded: however many groups there are, and classes, no more are kept than there is room for, and what is kept
// comes to the same again.
func TestBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	history := heap.NewHistory(heaptest.Demo().All())
	for _, classes := range []uint32{1, 1000, 400_000} {
		totals := NewTotals()
		const rows = 3 * maxGroups
		large := groupRow{atBirth, first, 1, rows, 24}
		totals.Objects = 2 * rows
		for at := range stages {
			totals.addSums(sums{at, first, 2 * rows, 48 * rows, 0, 0})
		}
		totals.addGroup(large)
		for range rows {
			totals.addGroup(groupRow{stage(random.IntN(int(stages))), first + random.Uint32N(classes), random.Uint64(),
				1 + random.Int64N(20), 24})
		}
		if totals.groups > maxGroups+1 || totals.groups < maxGroups/4 {
			t.Errorf("%d classes: %d groups are kept, want up to %d", classes, totals.groups, maxGroups)
		}
		counted := 0
		for _, c := range totals.classes {
			counted += c.sets[atBirth].count() + c.sets[lived].count()
		}
		if counted != totals.groups {
			t.Errorf("%d classes: %d groups are counted, %d are there", classes, totals.groups, counted)
		}
		row := totals.Ask(history, Query{}).Rows[0]
		if row.Largest != large.objects {
			t.Errorf("%d classes: the largest group has %d", classes, row.Largest)
		}
		if classes > 1 {
			continue
		}
		again := Read(totals.Records(9)).Ask(history, Query{}).Rows[0]
		if diff := cmp.Diff(row, again); diff != "" {
			t.Error(diff)
		}
	}
}

// TestNumbersBounded: a class with a number that no agent gives is damaged, and nothing is kept of it.
func TestNumbersBounded(t *testing.T) {
	for number, damaged := range map[uint32]int64{abi.HeapClasses - 1: 0, abi.HeapClasses: 1, math.MaxUint32: 1} {
		for name, record := range map[string]*trace.Events{
			"sums":         event(abi.EventReplicaSums, 1, sumsRow(sums{class: number, objects: 1, bytes: 24})),
			"groups":       event(abi.EventReplicaGroups, 1, groupsRow(groupRow{atBirth, number, 8, 4, 24})),
			"lived sums":   event(abi.EventReplicaLivedSums, 1, sumsRow(sums{class: number, objects: 1, bytes: 24})),
			"lived groups": event(abi.EventReplicaLivedGroups, 1, groupsRow(groupRow{lived, number, 8, 4, 24})),
			"a class": event(abi.EventReplicaClass, 1, classRow{number, heap.Identity{Name: "demo/Point"}}.
				encode(1)[abi.ReplicaClassNumber:]),
			"contents": event(abi.EventReplicaValue, 1, valueRow{number, 8, Value(point(1))}.
				encode(1)[abi.ReplicaValueClass:]),
		} {
			totals := NewTotals()
			add(totals, record, ending(end{set: 1, events: 1}))
			if totals.Damaged != damaged || len(totals.classes) != 1-int(damaged) {
				t.Errorf("%s of %d: %d damaged, %d classes", name, number, totals.Damaged, len(totals.classes))
			}
		}
	}
}

// TestFewGroups: a class of which no group is kept has no memory for some.
func TestFewGroups(t *testing.T) {
	totals := NewTotals()
	totals.addSums(sums{atBirth, first, 9, 216, 0, 3})
	totals.addGroup(groupRow{atBirth, first, 5, 1, 24}) // not in the sample
	for at, s := range totals.classes[first].sets {
		if s.sampled != nil || s.others != nil {
			t.Errorf("stage %d has some", at)
		}
	}
}

// TestEndedBounded: of classes that have no number any more no more are kept than there is room for, and those that
// are known go on being added to.
func TestEndedBounded(t *testing.T) {
	gone := newEnded()
	for set := range 2 {
		totals := NewTotals()
		for number := range uint32(maxEnded/2 + 10) {
			name := fmt.Sprint(set, "/", number)
			if number == 0 {
				name = "demo/Point"
			}
			totals.addClass(classRow{number, heap.Identity{Name: name, Loader: heap.NoLoader}})
			totals.addSums(sums{atBirth, number, 1, 24, 0, 0})
		}
		gone.add(totals)
	}
	const left = 2*10 - 1
	if n := len(gone.totals.classes); n != maxEnded || len(gone.numbers) != n || gone.totals.LeftOut != left {
		t.Errorf("%d classes, %d numbers, %d left out", n, len(gone.numbers), gone.totals.LeftOut)
	}
	if n := gone.totals.classes[abi.HeapClasses].sets[atBirth].objects; n != 2 {
		t.Errorf("%d objects of a class that is known", n)
	}
}

// FuzzTotals reads any events. No answer has less than nothing, or more copies than objects, and what is written of
// totals comes to the same.
func FuzzTotals(f *testing.F) {
	flat := func(records []*trace.Events) (b []byte) {
		for _, r := range records {
			for kind, data := range r.All() {
				b = append(b, byte(kind), byte(len(data)), byte(len(data)>>8))
				b = append(b, data...)
			}
		}
		return b
	}
	f.Add(flat(append(append(walk(0, 10), walk(1, 20)...), lives(2)...)))
	totals := NewTotals()
	agent(totals, 0, 3, map[uint64]int64{8: 1, 3: 40, 16: 2, 5: 1})
	totals.Classes = "demo.*"
	totals.addValue(valueRow{first, 3, Value(point(1))})
	f.Add(flat(totals.Records(1)))
	history := heap.NewHistory(heaptest.Demo().All())
	f.Fuzz(func(t *testing.T, b []byte) {
		var records []*trace.Events
		for len(b) >= 3 {
			n := min(int(binary.LittleEndian.Uint16(b[1:])), len(b)-3)
			records = append(records, &trace.Events{Data: b[3:][:n],
				Headers: []trace.EventHeader{{Kind: uint16(b[0]), Bytes: uint32(n)}}})
			b = b[3+n:]
		}
		totals := NewTotals()
		add(totals, records...)
		answer := totals.Ask(history, Query{Sort: SortLong})
		for _, row := range answer.Rows {
			if row.Groups < 0 || row.Saved.Objects < 0 || row.Saved.Bytes < 0 || row.Largest < 0 ||
				row.Saved.Objects > row.Hashed.Objects || row.Saved.Bytes > row.Hashed.Bytes ||
				row.Largest > row.Hashed.Objects {
				t.Errorf("%+v", row)
			}
		}
		Read(records)
		if totals.LeftOut > 0 || totals.Objects > 1<<60 {
			return
		}
		again := Read(totals.Records(7))
		if again == nil {
			t.Fatal("totals are not whole")
		}
		again.Damaged = totals.Damaged
		if diff := cmp.Diff(answer, again.Ask(history, Query{Sort: SortLong})); diff != "" {
			t.Error(diff)
		}
	})
}
