package heaptest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Large is a program of many classes and young collections with G1. Each touches some of the classes; the one in the
// middle is full.
func Large(pauses, classes, touched int) *Events {
	e := &Events{}
	const regions = 3000
	names := make([]string, classes)
	for i := range names {
		names[i] = fmt.Sprintf("org/example/program%d/Class%d", i%97, i)
	}
	for i := range pauses {
		var born, survived, promoted []Row
		for k := range touched {
			name := names[(i*31+k*17)%classes]
			n := uint64(k*k%10000 + 10)
			born = append(born, Row{name, n, 24 * n})
			survived = append(survived, Row{name, n/10 + 1, 24 * (n/10 + 1)})
			promoted = append(promoted, Row{name, 1, 24})
		}
		if i > 0 {
			e.Moved(1, survived...)
			e.Rows(Place{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: uint32(i % regions)}, promoted...)
		}
		e.Born(born...)
		e.Walk(Walk{Collection: uint64(i), Start: uint64(i) * 1e7})
		collected := uint64(abi.HeapYoung)
		if i == pauses/2 {
			collected = abi.HeapEverything
		}
		e.Finish(uint64(i)*1e7+1e6, collected)
	}
	return e
}

// A Flood is a program whose collections have much to tell, in numbers that hardly compress: what is born of a third of
// its classes, of which a half is there at the next one.
type Flood struct {
	random   *rand.Rand
	events   Events
	classes  []string
	pauses   int
	survived []Row
}

// FloodEvery is the time from one of its collections to the next.
const FloodEvery = 20 * time.Millisecond

// NewFlood makes one that begins.
func NewFlood(seed uint64) *Flood {
	f := &Flood{random: rand.New(rand.NewPCG(seed, seed)), classes: make([]string, 3000)}
	for i := range f.classes {
		f.classes[i] = fmt.Sprintf("org/example/flood%d/Class%d", i%97, i)
	}
	return f
}

// Pause gives the events up to the end of the next collection, and what it leaves in the heap.
func (f *Flood) Pause() (events []*trace.Events, left []Row) {
	var born []Row
	for i := f.pauses % 3; i < len(f.classes); i += 3 {
		n, size := 1+f.random.Uint64N(1<<16), 8*(2+f.random.Uint64N(8))
		born = append(born, Row{f.classes[i], n, size * n})
	}
	f.events.Moved(1, f.survived...)
	f.events.Born(born...)
	start := uint64(f.pauses) * uint64(FloodEvery)
	f.events.Walk(Walk{Collection: uint64(f.pauses), Start: start})
	f.events.Finish(start+uint64(time.Millisecond), abi.HeapYoung)
	f.pauses++
	events = f.events.records
	f.events.records, f.survived = nil, nil
	for _, r := range born {
		if half := r.Objects / 2; half > 0 {
			f.survived = append(f.survived, Row{r.Class, half, r.Bytes / r.Objects * half})
		}
	}
	return events, f.survived
}
