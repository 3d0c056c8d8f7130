package main

import (
	"errors"
	"fmt"

	"mallard/internal/jvmtest"
)

// Attribution says how many of the bytes that the JVM says it allocated Mallard has at a site. The compilers do not
// remove allocations in these runs.
type Attribution struct {
	subject
	JVM     int64            `json:"jvm_bytes"`
	Counted int64            `json:"counted_bytes"`
	ByCause map[string]int64 `json:"by_cause"` // of the difference, as `mallard info` has it
	Arrays  []Elements       `json:"arrays"`
}

// noEscapeAnalysis lets every allocation happen.
const noEscapeAnalysis = "-XX:-DoEscapeAnalysis"

// The goal for attribution, of the JVM's bytes.
const attributionGoal = 0.995

// measureAttribution runs each workload once, with all its iterations: what the JVM makes for itself it makes while
// classes are loaded and linked.
func measureAttribution(s *session) error {
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		c.Options = append(c.Options, noEscapeAnalysis)
		row := Attribution{subject: subject{at.jdk.Version, w.Name}}
		err := s.record(at.jdk, c, "optimal", func(recording string) error {
			info, err := s.info(recording)
			if err != nil {
				return err
			}
			row.JVM, row.Counted = info.Reconciliation.JVM, info.Reconciliation.Counted
			row.ByCause = info.Reconciliation.ByCause
			row.Arrays, err = s.elements(recording)
			return err
		})
		if err != nil {
			return err
		}
		if row.JVM == 0 {
			return errors.New("the JVM's own figure was not recorded")
		}
		put(&s.figures.Attribution, row, func(r Attribution) subject { return r.subject })
		return nil
	})
}

func attributionTable(jdk string, rows []Attribution) *table {
	t := newTable("attribution-"+jdk, fmt.Sprintf("Bytes that have a site, JDK %s, %s", jdk, noEscapeAnalysis),
		"program", "JVM's MB", "counted", "the JVM's own", "at no known site")
	enough := 0
	for _, r := range rows {
		of := func(bytes int64) string { return number("%.2f %%", 100*float64(bytes)/float64(r.JVM)) }
		t.row(r.Workload, fmt.Sprint(r.JVM>>20), of(r.Counted), of(r.ByCause["vm_start"]+r.ByCause["vm_threads"]),
			of(r.ByCause["unattributed"]))
		if float64(r.Counted) >= attributionGoal*float64(r.JVM) {
			enough++
		}
	}
	t.note = fmt.Sprintf("%d of %d have %.1f %% or more at a site.", enough, len(rows), 100*attributionGoal)
	return t
}
