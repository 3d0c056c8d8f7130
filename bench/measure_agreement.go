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

// measureAgreement runs each workload once with samples and all objects, and compares what they say of each row.
func measureAgreement(s *session) error {
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		folder, err := os.MkdirTemp("", "mallard-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		recording := filepath.Join(folder, recordingName)
		c.Wrap = []string{s.mallard, "run", "-q", "--track", "replicas", "--replicas", "both", "--replicas-pause", "0",
			"-o", recording, "--"}
		if _, err := s.execute(at.jdk, c); err != nil {
			return err
		}
		row := Agreement{subject: subject{at.jdk.Version, w.Name}}
		if row.LookedAt, row.Rows, err = s.judged(recording); err != nil {
			return err
		}
		copies, largest := judge(row.Rows)
		s.say("    right, false positives, false negatives: %v; of the largest group: %v", copies, largest)
		put(&s.figures.Agreement, row, func(r Agreement) subject { return r.subject })
		return nil
	})
}

// frame is where objects are made, in JSON.
type frame struct {
	Class, Method string
	Line          int
}

// judged asks a recording for rows that samples know enough of, and for what all objects say of these.
func (s *session) judged(recording string) (lookedAt int64, rows []Judged, err error) {
	var sampled struct {
		Method struct {
			LookedAt int64 `json:"looked_at"`
		}
		Rows []struct {
			Class    string
			Stack    []frame
			Bytes    int64
			Copied   *float64
			Largest  *float64
			LookedAt int64 `json:"looked_at"`
		}
	}
	var exact struct {
		Totals struct{ Bytes int64 }
		Rows   []struct {
			Class   string
			Site    *frame
			Objects int64
			Bytes   int64
			Saved   int64 `json:"bytes_saved"`
			Largest int64 `json:"largest_group"`
		}
	}
	if err := errors.Join(s.replicas(recording, "--sampled", &sampled), s.replicas(recording, "--exact",
		&exact)); err != nil {
		return 0, nil, err
	}
	type key struct {
		class string
		at    frame
	}
	type copies struct{ objects, bytes, saved, largest int64 }
	all := map[key]copies{}
	for _, r := range exact.Rows {
		if r.Site != nil {
			of := all[key{r.Class, *r.Site}]
			all[key{r.Class, *r.Site}] = copies{of.objects + r.Objects, of.bytes + r.Bytes, of.saved + r.Saved,
				max(of.largest, r.Largest)}
		}
	}
	const fewest = 20
	for _, r := range sampled.Rows {
		if len(r.Stack) == 0 || r.LookedAt < fewest || float64(r.Bytes) < judgedBytes*float64(exact.Totals.Bytes) {
			continue
		}
		at := key{r.Class, r.Stack[0]}
		of := all[at]
		if of.objects == 0 {
			continue // compilers have removed it, or its objects do not know their site
		}
		site := fmt.Sprintf("%s.%s:%d", at.at.Class, at.at.Method, at.at.Line)
		rows = append(rows, Judged{Class: r.Class, Site: site, Bytes: r.Bytes,
			Sampled: *r.Copied, Exact: float64(of.saved) / float64(of.bytes),
			SampledLargest: *r.Largest, ExactLargest: float64(of.largest) / float64(of.objects)})
	}
	return sampled.Method.LookedAt, rows, nil
}

// replicas asks for all rows.
func (s *session) replicas(recording, of string, answer any) error {
	output, err := exec.Command(s.mallard, "replicas", recording, of, "--top", "0", "--format", "json").Output()
	if err != nil {
		return fmt.Errorf("mallard replicas %s: %w", of, err)
	}
	return json.Unmarshal(output, answer)
}
