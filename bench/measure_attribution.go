package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"mallard/internal/jvmtest"
)

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

// elements asks a recording.
func (s *session) elements(recording string) ([]Elements, error) {
	output, err := exec.Command(s.mallard, "report", recording, "--by", "element", "--format", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("mallard report --by element: %w", err)
	}
	var report struct{ Rows []Elements }
	err = json.Unmarshal(output, &report)
	return report.Rows, err
}
