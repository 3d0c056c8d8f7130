package export

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// TestTransactionSizes: how many there were and how large they were, as text and CSV.
func TestTransactionSizes(t *testing.T) {
	p := fold(t, profiletest.Transactions+
		"TransactionSizes Number=3 Ended=12 Bytes=1000 Most=300 Sizes=[3:5 32:4 48:1]\n"+
		"TransactionSizes Number=4 Ended=0\n")
	r := &Report{Profile: p, Answer: p.Rows(profile.Query{By: profile.ByTransaction})}
	var text, csv strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.CSV(&csv); err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(text.String(), "\n\n")
	want := `Objects  Obj%   Bytes  Byte%   Cum%  Count  Bytes each  p50   p90    p99    Max  Transaction
  1,200  96.5  28,800   96.5   96.5      0                                       item
     40   3.2     960    3.2   99.7     12          80  3 B  68 B  272 B  300 B  order
      4   0.3      96    0.3  100.0                                              (none)
`
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("text: -want +got:\n%s", diff)
	}
	want = `transaction,objects,bytes,count,measured,jvm_bytes,p50_jvm_bytes,p90_jvm_bytes,p99_jvm_bytes,max_jvm_bytes
item,1200,28800,0,0,,,,,
order,40,960,12,10,1000,3,68,272,300
,4,96,,,,,,,
`
	if diff := cmp.Diff(want, csv.String()); diff != "" {
		t.Errorf("CSV: -want +got:\n%s", diff)
	}
}
