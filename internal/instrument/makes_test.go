package instrument

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// TestMakesOf: a class's counters stand in for those of the call, whatever kind of sums these are.
func TestMakesOf(t *testing.T) {
	other := allocations.Site{BCI: 1, Line: 1, Type: "java/util/ArrayList", Kind: allocations.Instance}
	copied := allocations.Site{BCI: 4, Line: 2, Type: "[Ljava/lang/Object;", Kind: allocations.ArrayLen}
	cloned := allocations.Site{BCI: 7, Line: 3, Type: "java/lang/Object", Kind: allocations.Multi}
	made := allocations.Site{BCI: 9, Line: 3, Type: "java/lang/Object", Kind: allocations.Called}
	class := &Result{Name: "Maker", Source: "Maker.java", Methods: []Method{{
		Name: "make", Descriptor: "()V", Sites: []allocations.Site{other, copied, cloned, made},
		Counters: []Counter{
			{Number: 0, Kind: Path, Semantics: placement.Unit(0, 3)},
			{Number: 1, Kind: Arrays, Semantics: placement.Unit(0, 1, 3), Site: 1},
			{Number: 3, Kind: Elements, Site: 1}, {Number: 4, Kind: Bytes, Site: 1},
			{Number: 5, Kind: Arrays, Semantics: placement.Unit(2), Site: 2},
			{Number: 6, Kind: Elements, Site: 2}, {Number: 7, Kind: Bytes, Site: 2},
			{Number: 8, Kind: Elements, Site: 3}, {Number: 9, Kind: Bytes, Site: 3},
			{Number: 10, Kind: Arrays, Semantics: placement.Unit(0), Site: 1},
		},
	}}}
	of := func(s allocations.Site, class string, kind allocations.Kind) allocations.Site {
		s.Type, s.Kind = class, kind
		return s
	}
	for counter, want := range map[uint32]Method{
		1: {Sites: []allocations.Site{of(copied, "[LDuck;", allocations.ArrayLen), other, made}, Counters: []Counter{
			{Number: 0, Kind: Arrays, Semantics: placement.Unit(0, 1, 2)}, {Number: 1, Kind: Elements},
			{Number: 2, Kind: Bytes}}},
		// what another counter has counted
		10: {Sites: []allocations.Site{of(copied, "[LDuck;", allocations.ArrayLen), other, copied}, Counters: []Counter{
			{Number: 0, Kind: Arrays, Semantics: placement.Unit(0, 1).Sub(placement.Unit(2))},
			{Number: 1, Kind: Elements}, {Number: 2, Kind: Bytes}}},
		5: {Sites: []allocations.Site{of(cloned, "[LDuck;", allocations.Multi)}, Counters: []Counter{
			{Number: 0, Kind: Arrays, Semantics: placement.Unit(0)}, {Number: 1, Kind: Elements},
			{Number: 2, Kind: Bytes}}},
		8: {Sites: []allocations.Site{of(made, "[LDuck;", allocations.Multi), made}, Counters: []Counter{
			{Number: 0, Kind: Elements}, {Number: 1, Kind: Bytes},
			{Number: 2, Kind: Arrays, Semantics: placement.Unit(0).Sub(placement.Unit(1))}}},
	} {
		want.Name, want.Descriptor = "make", "()V"
		got := class.MakesOf(counter, "[LDuck;")
		if got == nil {
			t.Fatalf("nothing is made that counter %d counts", counter)
		}
		if diff := cmp.Diff(want, got.Methods[0], cmp.AllowUnexported(Method{})); diff != "" || got.Name != "Maker" ||
			got.Source != "Maker.java" || int(got.Counters) != len(want.Counters) {
			t.Errorf("counter %d: %d counters of %s, -want +got:\n%s", counter, got.Counters, got.Name, diff)
		}
	}
	for _, none := range []struct {
		counter uint32
		class   string
	}{{0, "Duck"}, {11, "Duck"}, {1, "[Ljava/lang/Object;"}, {8, "java/lang/Object"}} {
		if got := class.MakesOf(none.counter, none.class); got != nil {
			t.Errorf("%s is told apart at counter %d", none.class, none.counter)
		}
	}
}
