package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"mallard/internal/jvmtest"
)

// Increments is what counting costs a workload in updates of profiling state, which is deterministic up to the JVM's
// own threads.
type Increments struct {
	subject
	Objects    int64              `json:"objects"`
	Placements map[string]float64 `json:"placements"` // updates per allocation
}

var placements = []string{"site", "ducktracks", "optimal"}

// counted is what `mallard info --format json` says of a run.
type counted struct {
	Objects    int64 `json:"objects"`
	Increments int64 `json:"increments"`
	Adaptation *struct {
		Classes    uint64  `json:"classes"`     // retransformed
		JVMSeconds float64 `json:"jvm_seconds"` // that this took
		Increments int64   `json:"increments"`  // of adapted methods, afterwards
		Otherwise  int64   `json:"otherwise"`   // what they would have made without
	} `json:"adaptation,omitempty"`
	Reconciliation struct {
		Counted int64            `json:"mallard_bytes"`
		JVM     int64            `json:"jvm_bytes"`
		ByCause map[string]int64 `json:"by_cause"`
	} `json:"reconciliation"`
}

// each gives the updates for each object.
func (c *counted) each() float64 { return float64(c.Increments) / float64(c.Objects) }

// unadapted gives what they would have been with all counters where they were placed first.
func (c *counted) unadapted() float64 {
	if c.Adaptation == nil {
		return c.each()
	}
	return float64(c.Increments-c.Adaptation.Increments+c.Adaptation.Otherwise) / float64(c.Objects)
}

// measureIncrements runs each workload once for each placement, with few iterations: the ratio does not change with
// more of them.
func measureIncrements(s *session) error {
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		row := Increments{subject: subject{at.jdk.Version, w.Name}, Placements: map[string]float64{}}
		c.Args = []string{"0", "2"}
		for _, placement := range placements {
			info, err := s.count(at.jdk, c, placement)
			if err != nil {
				return fmt.Errorf("--placement %s: %w", placement, err)
			}
			row.Objects, row.Placements[placement] = info.Objects, info.each()
		}
		put(&s.figures.Increments, row, func(r Increments) subject { return r.subject })
		return nil
	})
}

// count runs a command with a placement that stays as it is, and says what the recording says.
func (s *session) count(jdk jvmtest.JDK, c jvmtest.Command, placement string) (info *counted, err error) {
	err = s.record(jdk, c, placement, func(recording string) (err error) {
		info, err = s.info(recording)
		return err
	})
	return info, err
}

// record runs a command with a placement that stays as it is: adaptation would make runs differ. The recording is gone
// after use.
func (s *session) record(jdk jvmtest.JDK, c jvmtest.Command, placement string, use func(recording string) error) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	recording := filepath.Join(folder, recordingName)
	c.Wrap = []string{s.mallard, "run", "-q", "--no-adapt", "--placement", placement, "-o", recording, "--"}
	if _, err := s.execute(jdk, c); err != nil {
		return err
	}
	return use(recording)
}

func (s *session) info(recording string) (*counted, error) {
	output, err := exec.Command(s.mallard, "info", recording, "--format", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("mallard info %s: %w", filepath.Base(recording), err)
	}
	info := new(counted)
	if err := json.Unmarshal(output, info); err != nil {
		return nil, err
	}
	if info.Objects == 0 {
		return nil, fmt.Errorf("mallard info: no objects in %s", output)
	}
	return info, nil
}
