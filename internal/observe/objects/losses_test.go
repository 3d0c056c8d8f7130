package objects

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/transport/events"
)

// TestLosses: what walks have left out, and numbers that were given again, are said with their counts.
func TestLosses(t *testing.T) {
	type end struct{ leftOut, given uint64 }
	for _, test := range []struct {
		name string
		ends []end
		want []string
	}{
		{"none", []end{{0, 10}, {0, abi.OrderMask}}, nil},
		{"left out", []end{{3, 10}, {0, 20}, {4, 30}},
			[]string{"7 times that a single ob"}},
		{"given again", []end{{0, abi.OrderMask + 5}, {0, abi.OrderMask + 12}},
			[]string{"12 single objects have a "}},
		{"damage", []end{{1 << 63, 0}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l losses
			for _, e := range test.ends {
				words := [abi.HeapSinglesEndWords]uint64{abi.HeapSinglesEndLeftOut: e.leftOut,
					abi.HeapSinglesEndGiven: e.given}
				data, err := binary.Append(nil, binary.LittleEndian, words)
				if err != nil {
					t.Fatal(err)
				}
				l.take(events.Event{Data: data})
			}
			var got []string
			l.each(func(detail string, n uint64) { got = append(got, fmt.Sprintf("%d %.22s", n, detail)) })
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
