package main

import "fmt"

// Agreement is how often findings from samples are those of all objects, in one run that has both.
type Agreement struct {
	subject
	LookedAt int64    `json:"looked_at"` // objects
	Rows     []Judged `json:"rows"`      // with most bytes first
}

// Judged is a row of which samples know enough: shares that copies have, by samples, which are drawn by bytes, and by
// all objects.
type Judged struct {
	Class   string  `json:"class"`
	Site    string  `json:"site"`
	Bytes   int64   `json:"bytes"`   // of all objects
	Sampled float64 `json:"sampled"` // share of the bytes that keeping one of each contents would save
	Exact   float64 `json:"exact"`
	// share that have the contents which most have: of the sampled ones, and of all objects, as what a largest group
	// has in bytes is not told; of arrays of several lengths these differ
	SampledLargest float64 `json:"sampled_largest"`
	ExactLargest   float64 `json:"exact_largest"`
}

const (
	findingShare = 0.6  // of a row's bytes, copies
	judgedBytes  = 0.01 // of all bytes, a row's
)

// verdicts counts rows that are right, false positives and false negatives, where a finding has that much of what is
// asked for.
type verdicts struct{ right, more, less int }

func (v *verdicts) add(sampled, exact float64) {
	is, said := exact >= findingShare, sampled >= findingShare
	switch {
	case is == said:
		v.right++
	case said:
		v.more++
	default:
		v.less++
	}
}

// judge gives verdicts on copies of any object, by bytes, and on those of one, which is what OJXPerf's bounds are of.
func judge(rows []Judged) (copies, largest verdicts) {
	for _, r := range rows {
		copies.add(r.Sampled, r.Exact)
		largest.add(r.SampledLargest, r.ExactLargest)
	}
	return copies, largest
}

func agreementTable(jdk string, rows []Agreement) *table {
	t := newTable("agreement-"+jdk, fmt.Sprintf("Copies by samples, and by all objects, JDK %s", jdk),
		"program", "looked at", "rows", "largest group: right", "false positive", "false negative",
		"copies of any: right", "false positive", "false negative")
	var all []Judged
	for _, r := range rows {
		copies, largest := judge(r.Rows)
		cells := []string{r.Workload, thousands(r.LookedAt), fmt.Sprint(len(r.Rows))}
		for _, v := range []verdicts{largest, copies} {
			cells = append(cells, fmt.Sprint(v.right), fmt.Sprint(v.more), fmt.Sprint(v.less))
		}
		t.row(cells...)
		all = append(all, r.Rows...)
	}
	copies, largest := judge(all)
	t.note = fmt.Sprintf("Of %d rows: by the largest group %d right, %d false positives, %d negatives; by copies of "+
		"any object %d, %d and %d.", len(all), largest.right, largest.more, largest.less,
		copies.right, copies.more, copies.less)
	return t
}
