package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"mallard/internal/jvmtest"
)

// measureBirths runs each workload once in each setting and compares what was born with what was counted.
func measureBirths(s *session) error {
	recorders := []string{mallardObjects}
	if s.named {
		recorders = nil
		for _, v := range s.variants {
			if v.name != plain {
				recorders = append(recorders, v.name)
			}
		}
	}
	var failures []error
	for _, at := range s.settings() {
		for _, w := range s.workloads {
			for _, name := range recorders {
				if !w.runsOn(at.jdk) {
					continue
				}
				row, err := s.births(w, at, name)
				if err != nil {
					failures = append(failures, fmt.Errorf("%s, %v, %s: %w", w.Name, at, name, err))
					continue
				}
				s.say("  %v, %s, %s: of %d objects %d fewer than counted, %d more", at, w.Name, name,
					row.Born.Objects, row.Fewer.Objects, row.More.Objects)
				put(&s.figures.Births, *row, func(r Births) [3]any { return [3]any{r.subject, r.Collector, r.Variant} })
				if err := s.save(); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(failures...)
}

// births records a workload and asks the recording.
func (s *session) births(w Workload, at setting, name string) (*Births, error) {
	command, err := s.command(w, at)
	if err != nil {
		return nil, err
	}
	v, err := selectVariants(name)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if command, err = v[len(v)-1].command(&s.builds, at.jdk, command, folder); err != nil {
		return nil, err
	}
	if _, err := s.execute(at.jdk, command); err != nil {
		return nil, err
	}
	recording := filepath.Join(folder, recordingName)
	file, err := os.Stat(recording)
	if err != nil {
		return nil, err
	}
	row := &Births{subject: subject{at.jdk.Version, w.Name}, Collector: at.collector, Variant: name, File: file.Size()}
	return row, s.compareBirths(recording, at.jdk, row)
}

// removedAnswer and reportAnswer are what mallard says, in JSON.
type (
	removedAnswer struct {
		Losses []any
		Rows   []removedRow
	}
	removedRow struct {
		Class          string
		Site           *frame
		CountedObjects int64 `json:"counted_objects"`
		CountedBytes   int64 `json:"counted_bytes"`
		BornObjects    int64 `json:"born_objects"`
		BornBytes      int64 `json:"born_bytes"`
	}
	reportAnswer struct {
		Rows []struct {
			Class string
			Bytes int64
		}
	}
)

// noFiller is the first release that fills unused memory with arrays of a class of its own.
const noFiller = 19

func (s *session) compareBirths(recording string, jdk jvmtest.JDK, row *Births) error {
	var removed removedAnswer
	var report reportAnswer
	info, err := s.info(recording)
	if err := errors.Join(err, s.ask(&removed, "heap", recording, "--removed", "--by", "site"),
		s.ask(&report, "report", recording, "--by", "class")); err != nil {
		return err
	}
	if len(removed.Losses) > 0 {
		return fmt.Errorf("losses: %v", removed.Losses)
	}
	row.compare(&removed)
	row.Threads = info.Reconciliation.JVM
	for _, r := range report.Rows {
		if jdk.Feature < noFiller && r.Class == "int[]" {
			row.Threads -= r.Bytes // the JVM does not tell its bytes apart, code that counts does
		}
	}
	return nil
}

// compare adds up what each site and class has counted, and what was born there.
func (row *Births) compare(removed *removedAnswer) {
	type both struct{ counted, born objects }
	classes := map[string]*both{}
	for _, r := range removed.Rows {
		counted, born := objects{r.CountedObjects, r.CountedBytes}, objects{r.BornObjects, r.BornBytes}
		of := classes[r.Class]
		if of == nil {
			of = &both{}
			classes[r.Class] = of
		}
		of.counted.add(counted)
		of.born.add(born)
		row.Counted.add(counted)
		row.Born.add(born)
		if r.Site != nil {
			row.Unsited.add(counted.less(born))
		}
	}
	for _, of := range classes {
		row.Fewer.add(of.counted.less(of.born))
		row.More.add(of.born.less(of.counted))
	}
	row.Unsited = row.Unsited.less(row.Fewer)
}

// ask has mallard answer in JSON.
func (s *session) ask(answer any, words ...string) error {
	output, err := exec.Command(s.mallard, append(words, "--top", "0", "--format", "json")...).Output()
	if err != nil {
		return fmt.Errorf("mallard %v: %w", words[0], err)
	}
	return json.Unmarshal(output, answer)
}
