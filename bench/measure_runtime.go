package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"mallard/internal/jvmtest"
)

// measureRuntime runs each workload in each setting in each variant, round by round, so that whatever changes on the
// machine in an hour changes all of them. A round is kept as soon as it is complete; with -resume the rounds that are
// there are not measured again.
func measureRuntime(s *session) error {
	binary, err := s.binaryHash()
	if err != nil {
		return fmt.Errorf("build mallard first: %w", err)
	}
	if !s.resume {
		for _, at := range s.settings() {
			for _, w := range s.workloads {
				s.figures.cell(at, w, binary).Rounds = nil
			}
		}
	}
	var failures []error
	failed := map[*Cell]bool{}
	for round := range s.rounds {
		for _, at := range s.settings() {
			for _, w := range s.workloads {
				cell := s.figures.cell(at, w, binary)
				missing := cell.missing(round, s.variants)
				if !w.runsOn(at.jdk) || failed[cell] || len(missing) == 0 {
					continue
				}
				r, err := s.measureRound(w, at, missing)
				if err != nil {
					failed[cell] = true
					failures = append(failures, fmt.Errorf("%s, %v: %w", w.Name, at, err))
					s.say("  %v", failures[len(failures)-1])
					continue
				}
				cell.set(round, r)
				s.say("  round %d, %v, %s: %s of the plain run's time, %s in steady state", round+1, at, w.Name,
					cell.ratio(mallard, whole), cell.ratio(mallard, steady))
				if err := s.save(); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(failures...)
}

func (s *session) measureRound(w Workload, at setting, variants []variant) (Round, error) {
	command, err := s.command(w, at)
	if err != nil {
		return nil, err
	}
	return s.quietly(func() (Round, error) { return s.runRound(at.jdk, command, variants) })
}

// runRound runs a workload in each variant, plain first. All must do the same work.
func (s *session) runRound(jdk jvmtest.JDK, command jvmtest.Command, variants []variant) (Round, error) {
	round := Round{}
	for _, v := range variants {
		run, err := s.runVariant(v, jdk, command)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		if round[v.name] = run; run.checksum != round[plain].checksum {
			return nil, fmt.Errorf("%s: checksum %s, without a profiler %s", v.name, run.checksum,
				round[plain].checksum)
		}
	}
	return round, nil
}

func (s *session) runVariant(v variant, jdk jvmtest.JDK, plain jvmtest.Command) (Run, error) {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return Run{}, err
	}
	defer os.RemoveAll(folder)
	command, err := v.command(&s.builds, jdk, plain, folder)
	if err != nil {
		return Run{}, err
	}
	run, err := s.execute(jdk, command)
	if err == nil && v.name == mallard {
		run.Counted, err = s.info(filepath.Join(folder, recordingName))
	}
	return run, err
}
