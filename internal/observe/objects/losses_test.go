package objects

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/transport/events"
)

// TestLosses: what walks have left out, or told without addresses, and numbers that were given again, are said with
// their counts, and when that was.
func TestLosses(t *testing.T) {
	type end struct{ leftOut, given, unplaced uint64 }
	for _, test := range []struct {
		name string
		ends []end
		want []string
	}{
		{"none", []end{{0, 10, 0}, {0, abi.OrderMask, 0}}, nil},
		{"left out", []end{{3, 10, 0}, {0, 20, 0}, {4, 30, 0}, {0, 40, 0}},
			[]string{"7 times that a single ob… (walks from 0.500 s to 2.500 s)"}},
		{"without addresses", []end{{0, 10, 0}, {0, 20, 8}},
			[]string{"8 single objects were to… (walks from 1.500 s to 1.500 s)"}},
		{"given again", []end{{0, abi.OrderMask + 5, 0}, {0, abi.OrderMask + 12, 0}},
			[]string{"12 single objects have a "}},
		{"damage", []end{{1 << 63, 0, 0}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var l losses
			for i, e := range test.ends {
				words := [abi.HeapSinglesEndWords]uint64{abi.HeapSinglesEndLeftOut: e.leftOut,
					abi.HeapSinglesEndGiven: e.given, abi.HeapSinglesEndUnplaced: e.unplaced}
				data, err := binary.Append(nil, binary.LittleEndian, words)
				if err != nil {
					t.Fatal(err)
				}
				l.take(events.Event{Data: data})
				walk := [abi.HeapWalkWords]uint64{abi.HeapWalkStart: uint64(i)*1e9 + 5e8}
				if data, err = binary.Append(nil, binary.LittleEndian, walk); err != nil {
					t.Fatal(err)
				}
				l.walked(events.Event{Data: data})
			}
			var got []string
			l.each(func(detail string, n uint64) {
				_, when, dated := strings.Cut(detail, " (")
				if got = append(got, fmt.Sprintf("%d %.22s", n, detail)); dated {
					got[len(got)-1] += "… (" + when
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
