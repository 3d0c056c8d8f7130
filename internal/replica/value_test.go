package replica

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/trace"
)

// encoder makes values as agent/values.c does.
type encoder []byte

func (e encoder) name(letter byte, name string) encoder {
	return append(append(e, letter, byte(len(name))), name...)
}

func (e encoder) field(name string) encoder { return e.name(abi.ValueField, name) }

func (e encoder) number(letter byte, n int32) encoder {
	return binary.LittleEndian.AppendUint32(append(e, letter), uint32(n))
}

func (e encoder) array(letter byte, length uint64, elements ...byte) encoder {
	e = binary.AppendUvarint(append(e, abi.ValueArray, letter), length)
	return append(binary.AppendUvarint(e, uint64(len(elements))), elements...)
}

func (e encoder) text(coder byte, text ...byte) encoder {
	e = e.name(abi.ValueInstance, "java/lang/String").field("value").array('B', uint64(len(text)), text...)
	return append(append(e.field("coder"), 'B', coder), abi.ValueEnd)
}

// point is an object with one field.
func point(x int32) encoder {
	return append(encoder{}.name(abi.ValueInstance, "demo/Point").field("x").number('I', x), abi.ValueEnd)
}

var valueCases = []struct {
	value encoder
	want  string
}{
	{point(-3), "Point{x=-3}"},
	{append(encoder{}.name(abi.ValueInstance, "java/lang/Integer").field("value").number('I', 7), abi.ValueEnd), "7"},
	{append(encoder{}.name(abi.ValueInstance, "other/Integer").field("value").number('I', 7), abi.ValueEnd),
		"Integer{value=7}"},
	{encoder{}.text(0, 'a', '"', 0x1b, 0xe9), `"a\"\x1bé"`},
	{encoder{}.text(1, 0x3d, 0xd8, 0, 0xde, 0x2e, 0x20, 0, 0xd8), `"😀\u202e` + "\ufffd" + `"`},
	{encoder{}.array('Z', 5, 1, 0), "boolean[5]{true, false, …}"},
	{encoder{}.array('C', 2, 'a', 0, 10, 0)[:4], "…"},
	{append(encoder{abi.ValueArray, 'C', 2, 2}, 'a', 0, 10, 0), `char[2]"a\n"`},
	{encoder{abi.ValueArray, 'L', 2, 2, abi.ValueNull, abi.ValueNull}, "Object[2]{null, null}"},
	{encoder{abi.ValueArray, 'I', 1, 9}, "…"},
	{append(encoder{}.name(abi.ValueObject, "[Lorg/demo/Shop;"), 0x3a, 0, 0, 0), "Shop[]@3a"},
	{encoder{}.name(abi.ValueClass, "[[I"), "int[][].class"},
	{append(encoder{}.name(abi.ValueInstance, "A").field("b"), abi.ValueCut), "A{b=…"},
	{encoder{}.name(abi.ValueInstance, "evil\x1b[2J\u202e"), "evil\ufffd[2J\ufffd{…"},
	{encoder{'D', 0, 0, 0, 0, 0, 0, 0xf8, 0x3f}, "1.5"},
	{nil, "…"},
}

func TestValueText(t *testing.T) {
	for _, c := range valueCases {
		if got := Value(c.value).String(); got != c.want {
			t.Errorf("%q: %s, want %s", c.value, got, c.want)
		}
	}
}

// FuzzValue: any bytes give a text of bounded length that is all on one line and moves no cursor.
func FuzzValue(f *testing.F) {
	for _, c := range valueCases {
		f.Add([]byte(c.value))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text := Value(b).String()
		if len(text) > 16*(maxValueText+abi.ReplicaValueBytes) && len(b) <= abi.ReplicaValueBytes {
			t.Errorf("%d bytes of text", len(text))
		}
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			t.Errorf("%q", text)
		}
	})
}

func valueEvent(set uint32, hash uint64, contents []byte) *trace.Events {
	data := valueRow{first, hash, contents}.encode(set)
	return &trace.Events{Headers: []trace.EventHeader{{Kind: abi.EventReplicaValue, Bytes: uint32(len(data))}},
		Data: data}
}

// TestExamples: contents are of the groups with most objects, and what is recorded of them comes to the same.
func TestExamples(t *testing.T) {
	const groups = 3 * maxClassValues
	totals, want := NewTotals(), []Example(nil)
	records := []*trace.Events{}
	for i := range uint64(groups) {
		row := groupsRow(groupRow{atBirth, first, i, int64(2 + i), 24})
		records = append(records, event(abi.EventReplicaGroups, 1, row),
			valueEvent(1, i, point(int32(i))))
	}
	records = append(records, valueEvent(1, 1<<40, point(99)), // of no group that is known
		event(abi.EventReplicaSums, 1, sumsRow(sums{atBirth, first, 1000, 24_000, 0, 0})),
		ending(end{Work: Work{Objects: 1000, Walks: 1}, set: 1, events: 2*groups + 2}))
	if whole := add(totals, records...); whole != 1 || totals.Damaged > 0 {
		t.Fatalf("%d whole, %d damaged", whole, totals.Damaged)
	}
	for i := range abi.ReplicaValues {
		want = append(want, Example{int64(1 + groups - i), Value(point(int32(groups - 1 - i)))})
	}
	history := heap.NewHistory(heaptest.Demo().All())
	for _, from := range []*Totals{totals, Read(totals.Records(2))} {
		got := from.Ask(history, Query{}).Rows[0].Examples
		if len(got) != len(want) {
			t.Fatalf("%d examples, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].Count != want[i].Count || string(got[i].Contents) != string(want[i].Contents) {
				t.Errorf("%d: %+v, want %+v", i, got[i], want[i])
			}
		}
		if from.values != maxClassValues || !from.HasValues() {
			t.Errorf("%d are kept, want %d", from.values, maxClassValues)
		}
	}
	for _, size := range []int{0, abi.ReplicaValueBytes + 1} {
		damaged := NewTotals()
		add(damaged, valueEvent(1, 1, make([]byte, size)), ending(end{set: 1, events: 1}))
		if damaged.Damaged != 1 {
			t.Errorf("%d bytes of contents are taken", size)
		}
	}
}

// TestExamplesBounded: however many classes there are, and whatever becomes of their groups, no more is kept.
func TestExamplesBounded(t *testing.T) {
	totals := NewTotals()
	for class := range uint32(maxValues) {
		for hash := range uint64(4) {
			totals.addGroup(groupRow{atBirth, class, 1 + 2*hash, 2, 24})
			totals.addValue(valueRow{class, 1 + 2*hash, Value(point(1))})
		}
	}
	if totals.values != maxValues {
		t.Errorf("%d are kept, want %d", totals.values, maxValues)
	}
	for _, c := range totals.classes {
		totals.raise(c, atBirth, 1) // all of these hashes are odd
	}
	if totals.values != 0 || totals.HasValues() {
		t.Errorf("%d are kept of groups that are gone", totals.values)
	}
}
