package profile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mallard/internal/profile/profiletest"
)

// TestTransactionSizes: the last figures hold, those that cannot be are left out, and nobody else's.
func TestTransactionSizes(t *testing.T) {
	p := fold(t, profiletest.Transactions+`TransactionSizes Number=3 Ended=1 Bytes=64 Most=64 Sizes=[32:1]
TransactionSizes Number=3 Ended=12 Bytes=1000 Most=300 Sizes=[3:5 32:4 48:1]
TransactionSizes Number=4 Ended=3
TransactionSizes Number=4 Ended=18446744073709551615
TransactionSizes Number=4 Ended=4 Sizes=[3:9223372036854775807 4:9223372036854775807]
TransactionSizes Number=1 Ended=4
TransactionSizes Number=77 Ended=4
`)
	want := map[string]*TransactionSizes{"order": {Ended: 12, Measured: 10, Bytes: 1000, Most: 300}, "item": {Ended: 3}}
	if diff := cmp.Diff(want, p.sizes, cmpopts.IgnoreUnexported(TransactionSizes{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for share, want := range map[float64]int64{0: 3, 0.5: 3, 0.51: 68, 0.9: 68, 0.91: 272, 1: 272} {
		if got := p.TransactionSizes("order").Quantile(share); got != want {
			t.Errorf("%v: %d, want %d", share, got, want)
		}
	}
	if got := p.TransactionSizes("item").Quantile(0.5); got != 0 {
		t.Errorf("of none: %d", got)
	}
	for _, row := range p.Rows(Query{By: ByTransaction}).Rows {
		if row.Sizes != p.TransactionSizes(row.Transaction) {
			t.Errorf("%s: %+v", row.Transaction, row.Sizes)
		}
	}
}
