package classdef

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/instrument"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

// TestMethod describes a method that has one of everything; each kind is named on both sides.
func TestMethod(t *testing.T) {
	m := &instrument.Method{
		Name: "make", Descriptor: "()V", Fallback: "too long", Crosses: true,
		Sites: []allocations.Site{
			{BCI: 1, Line: 10, Type: "java/lang/Object", Kind: allocations.Instance},
			{BCI: 2, Line: 11, Type: "[I", Kind: allocations.ArrayConst, Length: 7},
			{BCI: 3, Line: 12, Type: "[J", Kind: allocations.ArrayLen},
			{BCI: 4, Line: 13, Type: "[[C", Kind: allocations.Multi},
			{BCI: 5, Line: -1, Type: "java/util/ArrayList", Kind: allocations.Called},
			{BCI: -1, Line: -1, Kind: allocations.Executed, Length: 1},
			{BCI: -1, Line: -1, Type: "java/lang/ArithmeticException", Kind: allocations.Raised},
		},
		Counters: []instrument.Counter{
			{Number: 20, Kind: instrument.Path, Semantics: placement.Vector{{Site: 0, N: 2}, {Site: 1, N: -1},
				{Site: 5, N: 30}}},
			{Number: 21, Kind: instrument.Arrays, Site: 2, Semantics: placement.Vector{{Site: 0, N: 3}, {Site: 2, N: 1},
				{Site: 5, N: 4}}},
			// its site is counted elsewhere
			{Number: 22, Kind: instrument.Arrays, Site: 2, Semantics: placement.Vector{{Site: 5, N: 4}}},
			{Number: 23, Kind: instrument.Arrays, Site: 3, Semantics: placement.Unit(3)},
			{Number: 24, Kind: instrument.Elements, Site: 3},
			{Number: 25, Kind: instrument.Bytes, Site: 3},
			{Number: 26, Kind: instrument.Sum, Semantics: placement.Unit(5)},
			{Number: 27, Kind: instrument.Path},
		},
		Context: &instrument.Context{
			Calls: []instrument.Call{{BCI: 8}, {BCI: 9}},
			Constructions: []instrument.Construction{
				{Call: 1, Class: "java/lang/Object", Descriptor: "()V", Chains: true, Counted: true, Counter: 27},
				{Call: 0, Class: "java/util/ArrayList", Descriptor: "(I)V"},
			},
		},
	}
	want := trace.MethodDef{
		Name: "make", Descriptor: "()V", Fallback: "too long", ThrowCrossesPath: true,
		Sites: []trace.SiteDef{
			{BCI: 1, Line: 10, Type: "java/lang/Object", Kind: trace.Instance},
			{BCI: 2, Line: 11, Type: "[I", Kind: trace.ArrayConst, Length: 7},
			{BCI: 3, Line: 12, Type: "[J", Kind: trace.ArrayLen},
			{BCI: 4, Line: 13, Type: "[[C", Kind: trace.Multi},
			{BCI: 5, Line: -1, Type: "java/util/ArrayList", Kind: trace.Called},
			{BCI: -1, Line: -1, Kind: trace.Executed, Length: 1},
			{BCI: -1, Line: -1, Type: "java/lang/ArithmeticException", Kind: trace.Raised},
		},
		Counters: []trace.CounterDef{
			{Counter: 20, Kind: trace.Path, Semantics: []trace.Term{{Site: 0, Coefficient: 2},
				{Site: 1, Coefficient: -1}, {Site: 5, Coefficient: 30}}},
			{Counter: 21, Kind: trace.Arrays, Semantics: []trace.Term{{Site: 2, Coefficient: 1},
				{Site: 0, Coefficient: 3}, {Site: 5, Coefficient: 4}}},
			{Counter: 22, Kind: trace.Arrays, Semantics: []trace.Term{{Site: 5, Coefficient: 4}}},
			{Counter: 23, Kind: trace.Arrays, Semantics: []trace.Term{{Site: 3, Coefficient: 1}}},
			{Counter: 24, Kind: trace.Elements, Semantics: []trace.Term{{Site: 3, Coefficient: 1}}},
			{Counter: 25, Kind: trace.Bytes, Semantics: []trace.Term{{Site: 3, Coefficient: 1}}},
			{Counter: 26, Kind: trace.Sum, Semantics: []trace.Term{{Site: 5, Coefficient: 1}}},
			{Counter: 27, Kind: trace.Path},
		},
		Constructors: []trace.ConstructorCall{
			{BCI: 9, Class: "java/lang/Object", Descriptor: "()V", Chains: true, Counted: true, Counter: 27},
			{BCI: 8, Class: "java/util/ArrayList", Descriptor: "(I)V"},
		},
	}
	if diff := cmp.Diff(want, Method(m)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
