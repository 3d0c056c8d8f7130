package single

import "testing"

// TestDoubtsEnd: orders that were hashed by the program need room as long as their objects live; one that two objects
// have had stands for none ever after.
func TestDoubtsEnd(t *testing.T) {
	const living, rounds = 100, 100_000
	d := newDoubts()
	d.set(1, shared)
	for i := range uint32(rounds) {
		d.set(2+i*7, foreign)
		if i >= living {
			d.died(2 + (i-living)*7)
		}
		d.died(1)
	}
	if len(d.orders) != living+1 || len(d.filter) > 16*living*spacing/64 {
		t.Errorf("%d orders, %d words of a filter", len(d.orders), len(d.filter))
	}
	for i := range uint32(rounds) {
		want := certain
		if i >= rounds-living {
			want = foreign
		}
		if got := d.of(2 + i*7); got != want {
			t.Fatalf("%d of %d: %d, want %d", i, rounds, got, want)
		}
	}
	if d.of(1) != shared {
		t.Error("an order of two objects stands for one again")
	}
}
