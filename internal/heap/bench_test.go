package heap

import (
	"testing"

	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

func BenchmarkHistory(b *testing.B) {
	events := heaptest.Large(10_000, 5_000, 300).All()
	bytes := 0
	for _, record := range events {
		bytes += len(record.Data)
	}
	b.Logf("%d MB of events", bytes>>20)
	h := NewHistory(events)
	q := Query{By: []By{ByClass}, Sort: profile.SortBytes}
	for _, question := range []struct {
		name string
		ask  func()
	}{
		{"open", func() { NewHistory(events) }},
		{"held", func() { h.Held(len(h.Pauses)-1, q) }},
		{"diff", func() { h.Diff(Start, len(h.Pauses)-1, q) }},
		{"lifetimes", func() { h.Lifetimes(q) }},
		{"growth", func() { h.Growth(q) }},
		{"timeline", func() { h.Timeline(q) }},
		{"check", func() { h.Check(17) }},
	} {
		b.Run(question.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				question.ask()
			}
		})
	}
}

// BenchmarkFollower follows the same events as a recorder does, and takes one keyframe.
func BenchmarkFollower(b *testing.B) {
	events := oneByOne(heaptest.Large(1000, 5000, 500).All())
	bytes, all := 0, 0
	for b.Loop() {
		f := NewFollower(false)
		for _, e := range events {
			f.Take(e.kind, e.data)
		}
		bytes, all = 0, 0
		for part := range f.Keyframe() {
			bytes += len(part.Data)
		}
		for _, e := range events {
			all += len(e.data)
		}
	}
	b.ReportMetric(float64(all), "event-bytes")
	b.ReportMetric(float64(bytes), "keyframe-bytes")
}
