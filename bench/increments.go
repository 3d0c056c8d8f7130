package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"

	"mallard/internal/jvmtest"
)

// Increments is what counting costs a workload in updates of profiling state, which is deterministic up to the JVM's own threads.
type Increments struct {
	Workload   string             `json:"workload"`
	Objects    int64              `json:"objects"`
	Placements map[string]float64 `json:"placements"` // updates per allocation
}

var placements = []string{"site", "ducktracks", "optimal"}

// counted is what `mallard info --format json` says of increments.
type counted struct {
	Objects    int64 `json:"objects"`
	Increments int64 `json:"increments"`
}

// measureIncrements runs each workload once for each placement, with few iterations: the ratio does not change with more of them.
func measureIncrements(s *session) error {
	var rows []Increments
	err := s.eachWorkload(func(w Workload, plain jvmtest.Command) error {
		row := Increments{Workload: w.Name, Placements: map[string]float64{}}
		plain.Args = []string{"0", "2"}
		for _, placement := range placements {
			command, recording, err := s.profiled(plain, placement)
			if err != nil {
				return err
			}
			// A cached rewriting or an adapted placement of an earlier run would make runs differ.
			command.Wrap = slices.Insert(command.Wrap, 2, "--no-adapt")
			_, err = s.execute(command)
			var info counted
			if err == nil {
				info, err = s.info(recording)
			}
			removeRecording(recording)
			if err != nil {
				return fmt.Errorf("--placement %s: %w", placement, err)
			}
			row.Objects = info.Objects
			row.Placements[placement] = float64(info.Increments) / float64(info.Objects)
		}
		rows = append(rows, row)
		return nil
	})
	s.figures.Increments = rows
	return err
}

func (s *session) info(recording string) (counted, error) {
	var info counted
	output, err := exec.Command(s.mallard, "info", recording, "--format", "json").Output()
	if err != nil {
		return info, fmt.Errorf("mallard info %s: %w", filepath.Base(recording), err)
	}
	if err := json.Unmarshal(output, &info); err != nil {
		return info, err
	}
	if info.Objects == 0 {
		return info, fmt.Errorf("mallard info: no objects in %s", output)
	}
	return info, nil
}
