package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/jvmtest"
)

// smallHeap has the heap grow as it must, so that its size says something.
const smallHeap = "-Xms64m"

// measureCopies runs each changed program beside the one that it was, in turns, and counts what both allocate.
func measureCopies(s *session) error {
	var failures []error
	for _, jdk := range s.jdks {
		for _, c := range changes {
			i := slices.IndexFunc(s.workloads, func(w Workload) bool { return w.Name == c.workload })
			if i < 0 || !s.workloads[i].runsOn(jdk) {
				continue
			}
			s.say("  %v, %s", jdk, c.name)
			err := s.measureChange(c, s.workloads[i], setting{jdk, s.collectors[0]})
			if err != nil {
				failures = append(failures, fmt.Errorf("%s, %v: %w", c.name, jdk, err))
			}
		}
	}
	return errors.Join(failures...)
}

func (s *session) measureChange(c change, w Workload, at setting) error {
	if s.short {
		w.Warmup, w.Timed = 0, 1
	}
	command, err := w.command(at, s.root)
	if err != nil {
		return err
	}
	command.Options = append(command.Options, smallHeap)
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	improved, err := c.command(command, at.jdk, s.root, folder)
	if err != nil {
		return err
	}
	row := Copies{subject: subject{at.jdk.Version, w.Name}, Change: c.name, Objects: map[string]int64{},
		Bytes: map[string]int64{}}
	if row.Finding, err = s.finding(c, at.jdk, command); err != nil {
		return err
	}
	ways := []variant{{name: plain, command: as(command)}, {name: withChange, command: as(improved)}}
	for _, v := range ways {
		run, _ := v.command(&s.builds, at.jdk, command, folder)
		counted, err := s.count(at.jdk, run, "optimal")
		if err != nil {
			return err
		}
		row.Objects[v.name], row.Bytes[v.name] = counted.Objects, counted.Reconciliation.Counted
	}
	for range s.rounds {
		round, err := s.playTurns(at.jdk, command, w.Warmup, w.Timed, ways)
		if err != nil {
			return err
		}
		row.Rounds = append(row.Rounds, round)
		put(&s.figures.Copies, row, func(r Copies) [2]any { return [2]any{r.subject, r.Change} })
		s.say("    %.3f of the processor time, %.3f in steady state, %.3f of the memory",
			round[withChange].Whole/round[plain].Whole, round[withChange].Steady/round[plain].Steady,
			round[withChange].Memory/round[plain].Memory)
		if err := s.save(); err != nil {
			return err
		}
	}
	return nil
}

// as makes a command that is there already, with the options that the variant is asked for with.
func as(c jvmtest.Command) func(*builds, jvmtest.JDK, jvmtest.Command, string) (jvmtest.Command, error) {
	return func(_ *builds, _ jvmtest.JDK, asked jvmtest.Command, _ string) (jvmtest.Command, error) {
		asked.Classpath = c.Classpath
		return asked, nil
	}
}

// command has the edited library in the place of the one that there is, and our classes in front.
func (c change) command(plain jvmtest.Command, jdk jvmtest.JDK, root, folder string) (jvmtest.Command, error) {
	library := filepath.Join(jarFolder, c.jar+".jar")
	edited := filepath.Join(folder, c.jar+".jar")
	if err := applyAll(c.edits, library, edited); err != nil {
		return jvmtest.Command{}, err
	}
	ours, err := jdk.Javac([]string{"-cp", strings.Join(plain.Classpath, string(os.PathListSeparator))},
		filepath.Join(root, "bench", "copies", c.source+".java"))
	plain.Classpath = append([]string{ours}, plain.Classpath...)
	plain.Classpath[slices.Index(plain.Classpath, library)] = edited
	return plain, err
}

// finding records one iteration with all copies and asks for the row that led to a change.
func (s *session) finding(c change, jdk jvmtest.JDK, command jvmtest.Command) (Finding, error) {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return Finding{}, err
	}
	defer os.RemoveAll(folder)
	recording := filepath.Join(folder, recordingName)
	command.Args = []string{strconv.Itoa(0), strconv.Itoa(1)}
	command.Wrap = []string{s.mallard, "run", "-q", "--track", "replicas", "--replicas-pause", "0", "-o", recording,
		"--"}
	if _, err := s.execute(jdk, command); err != nil {
		return Finding{}, err
	}
	output, err := exec.Command(s.mallard, "replicas", recording, "--class", c.class, "--format", "json").Output()
	if err != nil {
		return Finding{}, fmt.Errorf("mallard replicas: %w", err)
	}
	var answer struct {
		Rows []struct {
			Finding
			Site struct{ Class, Method string }
		}
	}
	if err := json.Unmarshal(output, &answer); err != nil {
		return Finding{}, err
	}
	for _, row := range answer.Rows { // the first has most
		if row.Method = row.Site.Class + "." + row.Site.Method; strings.HasSuffix(row.Method, c.method) {
			return row.Finding, nil
		}
	}
	return Finding{}, fmt.Errorf("no row of %s made in %s", c.class, c.method)
}
