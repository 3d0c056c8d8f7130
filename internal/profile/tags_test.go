package profile

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// TestTurns: of classes that have numbers one after the other each keeps its sites, by how many had a number before.
func TestTurns(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var ranges tagRanges
	type tag struct{ number, turn uint32 }
	had, want, next := map[uint32]uint32{}, map[tag]trace.SiteID{}, trace.SiteID(1)
	for range 2_000 {
		class := trace.ClassDef{CounterBase: trace.CounterID(32 + random.Uint32N(300)), Counters: random.Uint32N(20),
			SiteBase: next, Methods: make([]trace.MethodDef, 1)}
		sites := random.Uint32N(class.Counters + 1)
		class.Methods[0].Sites = make([]trace.SiteDef, sites)
		for i := range class.Counters {
			number := uint32(class.CounterBase) + i
			if i < sites && had[number] <= abi.LastTagTurn {
				want[tag{number, had[number]}] = next + trace.SiteID(i)
			}
			had[number]++
		}
		next += trace.SiteID(sites)
		ranges.define(&class)
	}
	turns, known := ranges.turns(), 0
	for turn, list := range turns {
		for number := range uint32(400) {
			site, is := list.siteOf(number)
			if wanted, ok := want[tag{number, uint32(turn)}]; is != ok || site != wanted {
				t.Fatalf("number %d, turn %d: site %d, %v, want %d, %v", number, turn, site, is, wanted, ok)
			}
			if is {
				known++
			}
		}
	}
	if known != len(want) || len(turns) < 20 {
		t.Errorf("%d of %d are known, in %d turns", known, len(want), len(turns))
	}
}
