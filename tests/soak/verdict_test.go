package main

import (
	"slices"
	"testing"
	"time"
)

// TestJudge has memory that stays, goes up and down, grows from some time on, and grows all the time.
func TestJudge(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		memory func(second int64) int64
		grew   bool
	}{
		"stays":       {func(int64) int64 { return 20 * mb }, false},
		"up and down": {func(s int64) int64 { return 20*mb + s%7*mb }, false},
		"fills first": {func(s int64) int64 { return min(s, 10) * 5 * mb }, false},
		"grows":       {func(s int64) int64 { return 20*mb + s*40<<10 }, true},
		"grows late":  {func(s int64) int64 { return 20*mb + max(0, s-80)*mb }, true},
	} {
		var samples []Sample
		for s := range int64(100) {
			samples = append(samples, Sample{At: time.Duration(s) * time.Second, Threads: 10 * s, File: 1000 * s,
				Recorder: Memory{Anonymous: c.memory(s)}})
		}
		v := judge(samples)
		if grew := slices.Contains(v.Grew, "recorder"); grew != c.grew {
			t.Errorf("%s: from %d to %d, grew %v", name, v.From.Recorder.Anonymous, v.To.Recorder.Anonymous, v.Grew)
		}
		if v.PerComing != 100 {
			t.Errorf("%s: %f bytes for each thread, want 100", name, v.PerComing)
		}
	}
	if v := judge(make([]Sample, 5)); len(v.Grew) == 0 {
		t.Error("five samples tell something")
	}
}
