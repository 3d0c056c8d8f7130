package export

import (
	"fmt"

	"mallard/internal/profile"
)

// cause is a part of the difference between counted bytes and the JVM's.
type cause struct {
	name  string // in JSON
	bytes int64
	sign  string
	text  string
}

func causes(r *profile.Reconciliation) []cause {
	return []cause{
		{"escape_analysis", r.EscapeAnalysis, "−", "counted and never on the heap (at least): the compiler removed " +
			"the allocation"},
		{"vm_start", r.VMStart, "+", "made by the JVM before the first bytecode ran"},
		{"vm_threads", r.VMThreads, "+", "made by threads without counters of their own"},
		{"unattributed", r.Unattributed, "+", "made at no known site (at least)"},
	}
}

// reconciliationLines compares what was counted with what the JVM says.
func reconciliationLines(r *profile.Reconciliation) []string {
	if r == nil {
		return []string{unknown + ": the JVM's own figure was not recorded"}
	}
	lines := []string{fmt.Sprintf("%s counted are %s %% of %s that the JVM says its threads allocated",
		grouped(r.Counted), percent(r.Counted, r.JVM), exactBytes(r.JVM))}
	for _, c := range causes(r) {
		lines = append(lines, fmt.Sprintf("%s %s %s", c.sign, grouped(c.bytes), c.text))
	}
	return lines
}

// unattributedText says how much no row has.
func unattributedText(r *profile.Reconciliation) string {
	return fmt.Sprintf("%s unattributed: the JVM allocated them at no known site, %s %% of its bytes",
		exactBytes(r.AtNoSite()), percent(r.AtNoSite(), r.JVM))
}
