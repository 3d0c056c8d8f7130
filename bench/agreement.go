package main

import "fmt"

// Agreement is how often findings from samples are those of all objects, in one run that has both.
type Agreement struct {
	subject
	LookedAt int64    `json:"looked_at"` // objects
	Rows     []Judged `json:"rows"`      // with most bytes first
}

// Judged is a row of which samples know enough.
type Judged struct {
	Class   string  `json:"class"`
	Site    string  `json:"site"`
	Bytes   int64   `json:"bytes"`   // of all objects
	Sampled float64 `json:"sampled"` // share that copies are, by samples
	Exact   float64 `json:"exact"`   // and by all objects
}

const (
	findingShare = 0.6  // of a row's objects, copies
	judgedBytes  = 0.01 // of all bytes, a row's
)

// verdicts counts rows that are right, false positives and false negatives.
func verdicts(rows []Judged) (right, more, less int) {
	for _, r := range rows {
		is, said := r.Exact >= findingShare, r.Sampled >= findingShare
		switch {
		case is == said:
			right++
		case said:
			more++
		default:
			less++
		}
	}
	return right, more, less
}

func agreementTable(jdk string, rows []Agreement) *table {
	t := newTable("agreement-"+jdk, fmt.Sprintf("Copies by samples, and by all objects, JDK %s", jdk),
		"program", "looked at", "rows", "right", "false positive", "false negative")
	var all []Judged
	for _, r := range rows {
		right, more, less := verdicts(r.Rows)
		t.row(r.Workload, thousands(r.LookedAt), fmt.Sprint(len(r.Rows)), fmt.Sprint(right), fmt.Sprint(more),
			fmt.Sprint(less))
		all = append(all, r.Rows...)
	}
	right, more, less := verdicts(all)
	t.note = fmt.Sprintf("Of %d rows (1 %% of the bytes, 20 objects looked at) %d are right, %d false positives, %d "+
		"false negatives.", len(all), right, more, less)
	return t
}
