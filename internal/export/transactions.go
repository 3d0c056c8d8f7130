package export

import (
	"slices"

	"mallard/internal/profile"
)

// Of transactions that have ended it is known how many there were, and how much each has allocated.

// transactionQuantiles are told of the sizes of transactions.
var transactionQuantiles = []struct {
	name  string
	share float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}}

// hasSizes reports whether a row has any.
func hasSizes(rows []profile.Row) bool {
	return slices.ContainsFunc(rows, func(r profile.Row) bool { return r.Sizes != nil })
}

// transactionColumns say how many there were, and how much they allocated.
func transactionColumns(rows []profile.Row) []column {
	count, each := column{title: "Count"}, column{title: "Bytes each"}
	columns := make([]column, len(transactionQuantiles)+1)
	for i, q := range transactionQuantiles {
		columns[i].title = q.name
	}
	columns[len(transactionQuantiles)].title = "Max"
	for _, row := range rows {
		s, number, mean := row.Sizes, "", ""
		if s != nil {
			number = grouped(s.Ended)
		}
		if s != nil && s.Ended > 0 && row.Amount.BytesKnown() {
			mean = grouped(row.Amount.Bytes / s.Ended)
		}
		count.cells, each.cells = append(count.cells, number), append(each.cells, mean)
		for i := range columns {
			text := ""
			if s != nil && s.Measured > 0 {
				bytes := s.Most
				if i < len(transactionQuantiles) {
					bytes = s.Quantile(transactionQuantiles[i].share)
				}
				text = roundBytes(float64(bytes))
			}
			columns[i].cells = append(columns[i].cells, text)
		}
	}
	return append([]column{count, each}, columns...)
}

// jsonSizes is the JSON form, and what CSV has in columns.
type jsonSizes struct {
	Count    int64  `json:"count"`
	Measured int64  `json:"measured"`
	Bytes    *int64 `json:"jvm_bytes"`
	P50      *int64 `json:"p50_jvm_bytes"`
	P90      *int64 `json:"p90_jvm_bytes"`
	P99      *int64 `json:"p99_jvm_bytes"`
	Max      *int64 `json:"max_jvm_bytes"`
}

// newJSONSizes returns nil for nil.
func newJSONSizes(s *profile.TransactionSizes) *jsonSizes {
	if s == nil {
		return nil
	}
	sizes := &jsonSizes{Count: s.Ended, Measured: s.Measured}
	if s.Measured > 0 {
		sizes.Bytes, sizes.Max = &s.Bytes, &s.Most
		for i, to := range []**int64{&sizes.P50, &sizes.P90, &sizes.P99} {
			bytes := s.Quantile(transactionQuantiles[i].share)
			*to = &bytes
		}
	}
	return sizes
}
