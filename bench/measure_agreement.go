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
		right, more, less := verdicts(row.Rows)
		s.say("    %d right, %d false positives, %d false negatives", right, more, less)
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
			LookedAt int64 `json:"looked_at"`
		}
	}
	var exact struct {
		Totals struct{ Bytes int64 }
		Rows   []struct {
			Class   string
			Site    *frame
			Objects int64
			Saved   int64 `json:"objects_saved"`
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
	objects, saved := map[key]int64{}, map[key]int64{}
	for _, r := range exact.Rows {
		if r.Site != nil {
			objects[key{r.Class, *r.Site}] += r.Objects
			saved[key{r.Class, *r.Site}] += r.Saved
		}
	}
	const fewest = 20
	for _, r := range sampled.Rows {
		if len(r.Stack) == 0 || r.LookedAt < fewest || float64(r.Bytes) < judgedBytes*float64(exact.Totals.Bytes) {
			continue
		}
		at := key{r.Class, r.Stack[0]}
		if objects[at] == 0 {
			continue // compilers have removed it, or its objects do not know their site
		}
		rows = append(rows, Judged{r.Class, fmt.Sprintf("%s.%s:%d", at.at.Class, at.at.Method, at.at.Line), r.Bytes,
			*r.Copied, float64(saved[at]) / float64(objects[at])})
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
