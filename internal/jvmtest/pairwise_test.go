package jvmtest

import (
	"fmt"
	"slices"
	"testing"
)

func TestPairwise(t *testing.T) {
	for _, sizes := range [][]int{{3}, {1, 1}, {2, 3}, {2, 4, 4, 2, 4, 2}, {14, 2, 4, 4, 2}, {3, 3, 3, 3}} {
		rows := pairwise(sizes)
		seen := map[pair]bool{}
		for _, row := range rows {
			for factor, value := range row {
				if value < 0 || value >= sizes[factor] {
					t.Fatalf("%v: row %v", sizes, row)
				}
				for factor2 := range row {
					seen[pair{factor, value, factor2, row[factor2]}] = true
				}
			}
		}
		largest := slices.Clone(sizes)
		slices.Sort(largest)
		slices.Reverse(largest)
		least := 1
		for factor, size := range sizes {
			if factor < 2 {
				least *= largest[factor]
			}
			for factor2, size2 := range sizes {
				for value := range size {
					for value2 := range size2 {
						if p := (pair{factor, value, factor2, value2}); !seen[p] &&
							(factor != factor2 || value == value2) {
							t.Errorf("%v: no row has %+v", sizes, p)
						}
					}
				}
			}
		}
		if len(rows) > least*3/2 || fmt.Sprint(rows) != fmt.Sprint(pairwise(sizes)) {
			t.Errorf("%v: %d rows, %d at least, or others each time:\n%v", sizes, len(rows), least, rows)
		}
	}
	if n := len(product([]int{2, 4, 3})); n != 24 {
		t.Errorf("%d rows, not all", n)
	}
}
