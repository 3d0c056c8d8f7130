package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"mallard/internal/jvmtest"
)

// measureAdaptation runs each workload with and without, with the iterations of a timed run.
func measureAdaptation(s *session) error {
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		c.Args = []string{strconv.Itoa(w.Warmup), strconv.Itoa(w.Timed)}
		row := Adaptation{subject: subject{at.jdk.Version, w.Name}}
		if err := s.adapting(&row, at.jdk, c); err != nil {
			return err
		}
		without, err := s.count(at.jdk, c, "optimal")
		if err != nil {
			return err
		}
		row.Without = without.each()
		put(&s.figures.Adaptation, row, func(r Adaptation) subject { return r.subject })
		return nil
	})
}

// adapting fills in what a run with adaptation gives.
func (s *session) adapting(row *Adaptation, jdk jvmtest.JDK, c jvmtest.Command) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	recording := filepath.Join(folder, recordingName)
	c.Wrap = []string{s.mallard, "run", "-q", "-o", recording, "--"}
	if _, err := s.execute(jdk, c); err != nil {
		return err
	}
	output, err := exec.Command(s.mallard, "info", recording, "--format", "json").Output()
	if err != nil {
		return fmt.Errorf("mallard info: %w", err)
	}
	var info struct {
		counted
		Methods struct {
			Adapted uint64 `json:"adapted"`
		} `json:"methods"`
		Adaptation struct {
			Classes         uint64  `json:"classes"`
			Live            uint64  `json:"live"`
			JVMSeconds      float64 `json:"jvm_seconds"`
			DecisionSeconds float64 `json:"decision_seconds"`
			Increments      int64   `json:"increments"`
			Baseline        int64   `json:"baseline"`
		} `json:"adaptation"`
	}
	if err := json.Unmarshal(output, &info); err != nil {
		return err
	}
	a := &info.Adaptation
	row.Objects, row.With, row.Methods = info.Objects, info.each(), info.Methods.Adapted
	row.Classes, row.Live = a.Classes, a.Live
	row.JVM, row.Decisions, row.Executed, row.Baseline = a.JVMSeconds, a.DecisionSeconds, a.Increments, a.Baseline
	return nil
}
