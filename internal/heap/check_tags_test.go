package heap

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
)

// tagViolations are those of a history that are about tags; all others fail the test.
func tagViolations(t *testing.T, e *heaptest.Events) (list []string) {
	t.Helper()
	for _, v := range NewHistory(e.All()).Check(25).Violations {
		if !strings.Contains(v.What, " has tag ") {
			t.Errorf("pause %d: %s", v.Pause, v.What)
		}
		list = append(list, v.What)
	}
	return list
}

// TestChangedTag: an object keeps its tag when it is moved, but may get one that had none, or that was taken for one of
// the site that gives none.
func TestChangedTag(t *testing.T) {
	none := fmt.Sprint("A@", abi.TagNone)
	for _, test := range []struct{ was, is, want string }{
		{"A@1", "A@1", ""}, {"A", "A@1", ""}, {"A", "A", ""}, {"A", none, ""}, {none, "A@1", ""}, {none, "A", ""},
		{"A@7", "A@1", ""}, // 7 is implied
		{"A@1", "A@2", "A at 0x4000 has tag 2, and had 1 at 0x1000"},
		{"A@1", "A", "A at 0x4000 has tag 0, and had 1 at 0x1000"},
		{"A@1", "A@7", "A at 0x4000 has tag 7, and had 1 at 0x1000"},
	} {
		e := &heaptest.Events{}
		e.Implied("A@7")
		e.Singles(heaptest.Place{Space: abi.HeapEden}, 0x1000, 0, heaptest.Single{Class: test.was, Words: 2, Order: 1})
		e.EndSingles(0)
		e.Walk(ends{Used: [4]uint64{16}})
		e.Finish(2, abi.HeapYoung)
		e.Singles(heaptest.Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}, 0x4000, 1,
			heaptest.Single{Class: test.is, Words: 2, Order: 1})
		e.EndSingles(0)
		e.Walk(ends{Used: [4]uint64{0, 16}, Last: true})
		if got := strings.Join(tagViolations(t, e), ", "); got != test.want {
			t.Errorf("%s that was %s: %q, want %q", test.is, test.was, got, test.want)
		}
	}
}

// TestChangedTags: of a program whose objects live for a random time, some of which get their tags late, each tag that
// is made another one is found, and nothing else.
func TestChangedTags(t *testing.T) {
	for _, share := range []float64{0, 0.01} {
		random, e, changed := rand.New(rand.NewPCG(1, 5)), &heaptest.Events{}, 0
		var alive []heaptest.Single
		order := uint32(0)
		for i := range uint64(30) {
			used := [abi.HeapSpaces]uint64{}
			if len(alive) > 0 {
				at := heaptest.Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: 1}
				e.Singles(at, 0x100000, order, alive...)
				used[abi.HeapSurvivor] = 16 * uint64(len(alive))
			}
			var born []heaptest.Single
			for n := range 100 {
				class := fmt.Sprintf("A%d", n%3)
				if random.IntN(2) == 0 {
					class += fmt.Sprint("@", 1+random.IntN(5))
				}
				born = append(born, heaptest.Single{Class: class, Words: 2, Order: order + uint32(n) + 1})
			}
			e.Singles(heaptest.Place{Space: abi.HeapEden}, 0x1000, order, born...)
			order += 100
			used[abi.HeapEden] = 1600
			e.EndSingles(0)
			e.Walk(ends{Collection: i, Used: used})
			e.Finish(2, abi.HeapYoung)
			var left []heaptest.Single
			for _, o := range append(alive, born...) {
				name, tag, tagged := strings.Cut(o.Class, "@")
				switch {
				case random.IntN(2) == 0:
					continue
				case !tagged && random.IntN(3) == 0:
					o.Class += "@4"
				case tagged && random.Float64() < share:
					o.Class = name + "@" + tag + "0"
					if i < 29 {
						changed++
					}
				}
				left = append(left, o)
			}
			alive = left
		}
		if got := len(tagViolations(t, e)); got != changed || share > 0 && changed == 0 {
			t.Errorf("%d tags of %d are found to have changed", got, changed)
		}
	}
}
