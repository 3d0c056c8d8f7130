package heap

import (
	"fmt"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
)

// large is a program of many classes and young collections; each touches some of the classes, and the last of every
// hundred all.
func large(pauses, classes, touched int) *heaptest.Events {
	e := &heaptest.Events{}
	names := make([]string, classes)
	for i := range names {
		names[i] = fmt.Sprintf("org/example/program/Class%d", i)
	}
	for i := range pauses {
		var born, survived, promoted []heaptest.Row
		for k := range touched {
			name := names[(i*31+k*17)%classes]
			n := uint64(k*k%10000 + 10)
			born = append(born, of(name, n, 24*n))
			survived = append(survived, of(name, n/10+1, 24*(n/10+1)))
			promoted = append(promoted, of(name, 1, 24))
		}
		if i > 0 {
			e.Moved(1, survived...)
			e.Moved(0, promoted...)
		}
		e.Born(born...)
		e.Walk(ends{Collection: uint64(i), Start: uint64(i) * 1e7})
		e.Finish(uint64(i)*1e7+1e6, abi.HeapYoung)
	}
	return e
}

func BenchmarkHistory(b *testing.B) {
	events := large(10_000, 5_000, 300).All()
	b.Logf("%d MB of events", len(events[0].Data)>>20)
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
