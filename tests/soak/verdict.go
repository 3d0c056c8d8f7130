package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Memory is what a process has resident, in bytes.
type Memory struct {
	Anonymous int64
	Shared    int64 // pages of the memory that program and recorder share, those that this process has touched
}

// Sample is a moment of a run.
type Sample struct {
	At               time.Duration // since the program's first line
	Threads, Loaders int64         // that there were so far
	JVM, Recorder    Memory
	File             int64 // bytes of the recording
}

// String prints a sample for a person.
func (s Sample) String() string {
	return fmt.Sprintf("%4.0fs %8d threads %7d loaders, MB: JVM %.1f + %.1f, recorder %.1f + %.1f, file %.2f",
		s.At.Seconds(), s.Threads, s.Loaders, mb(s.JVM.Anonymous), mb(s.JVM.Shared), mb(s.Recorder.Anonymous),
		mb(s.Recorder.Shared), mb(s.File))
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// Verdict says how a run's memory grew.
type Verdict struct {
	Threads, Loaders int64
	From, To         Sample // medians, each value for itself, of the second tenth of the samples and of the last
	PerComing        float64
	Grew             []string // what grew by more than may be
}

// Growth that is none: what a process takes goes up and down with its collections.
const (
	slack      = 2 << 20
	slackShare = 0.05
)

// judge compares the second tenth of a run with the last.
func judge(samples []Sample) (v Verdict) {
	if len(samples) < 20 {
		v.Grew = []string{"too short to tell"}
		return v
	}
	n, tenth := len(samples), len(samples)/10
	v.From, v.To = median(samples[tenth:2*tenth]), median(samples[n-tenth:])
	v.Threads, v.Loaders = samples[n-1].Threads, samples[n-1].Loaders
	if came := v.To.Threads - v.From.Threads + v.To.Loaders - v.From.Loaders; came > 0 {
		v.PerComing = float64(v.To.File-v.From.File) / float64(came)
	}
	for _, m := range []struct {
		name     string
		from, to int64
	}{
		{"JVM", v.From.JVM.Anonymous, v.To.JVM.Anonymous},
		{"shared", v.From.JVM.Shared, v.To.JVM.Shared},
		{"recorder", v.From.Recorder.Anonymous, v.To.Recorder.Anonymous},
	} {
		if m.to > m.from+max(slack, int64(slackShare*float64(m.from))) {
			v.Grew = append(v.Grew, m.name)
		}
	}
	return v
}

// median gives each value's median, at the moment in the middle.
func median(samples []Sample) (m Sample) {
	m.At = samples[len(samples)/2].At
	of := func(value func(*Sample) *int64) {
		var list []int64
		for i := range samples {
			list = append(list, *value(&samples[i]))
		}
		slices.Sort(list)
		*value(&m) = list[len(list)/2]
	}
	for _, value := range []func(*Sample) *int64{
		func(s *Sample) *int64 { return &s.Threads }, func(s *Sample) *int64 { return &s.Loaders },
		func(s *Sample) *int64 { return &s.JVM.Anonymous }, func(s *Sample) *int64 { return &s.JVM.Shared },
		func(s *Sample) *int64 { return &s.Recorder.Anonymous }, func(s *Sample) *int64 { return &s.File },
	} {
		of(value)
	}
	return m
}

// heading is that of the table of runs.
const heading = "run\tthreads\tloaders\tJVM MB\tshared MB\trecorder MB\tfile KB/s\tbytes each\tgrew"

// row is a run's row of the table: memory in the second tenth and in the last.
func (v Verdict) row(s *Soak) string {
	var perSecond float64
	if seconds := (v.To.At - v.From.At).Seconds(); seconds > 0 {
		perSecond = float64(v.To.File-v.From.File) / seconds / 1024
	}
	return fmt.Sprintf("%s\t%d\t%d\t%.1f → %.1f\t%.1f → %.1f\t%.1f → %.1f\t%.1f\t%.0f\t%s",
		s.Name(), v.Threads, v.Loaders, mb(v.From.JVM.Anonymous), mb(v.To.JVM.Anonymous), mb(v.From.JVM.Shared),
		mb(v.To.JVM.Shared), mb(v.From.Recorder.Anonymous), mb(v.To.Recorder.Anonymous), perSecond, v.PerComing,
		strings.Join(v.Grew, ", "))
}
