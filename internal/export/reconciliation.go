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
		{"escape_analysis", r.EscapeAnalysis, "−", "removed by escape analysis (lower bound)"},
		{"vm_start", r.VMStart, "+", "allocated by the JVM before the first bytecode ran"},
		{"vm_threads", r.VMThreads, "+", "allocated by threads without counters of their own"},
		{"unattributed", r.Unattributed, "+", "unattributed, no allocation site known (lower bound)"},
	}
}

// reconciliationLines compares what was counted with what the JVM says.
func reconciliationLines(r *profile.Reconciliation) []string {
	if r == nil {
		return []string{unknown + ": the JVM's own total was not recorded"}
	}
	lines := []string{fmt.Sprintf("%s counted, %s %% of the %s that the JVM reports for its threads",
		grouped(r.Counted), percent(r.Counted, r.JVM), exactBytes(r.JVM))}
	for _, c := range causes(r) {
		lines = append(lines, fmt.Sprintf("%s %s %s", c.sign, grouped(c.bytes), c.text))
	}
	return lines
}

// unattributedText says how much no row has, of what was allocated since the first bytecode ran.
func unattributedText(r *profile.Reconciliation) string {
	return fmt.Sprintf("unattributed: %s (%s %%), no allocation site known", counted(r.SinceStart(), "byte"),
		percent(r.SinceStart(), r.JVM))
}

// vmStartText says how much no row has since no bytecode ran yet.
func vmStartText(r *profile.Reconciliation) string {
	return fmt.Sprintf("%s allocated by the JVM before the first bytecode ran", counted(r.VMStart, "byte"))
}
