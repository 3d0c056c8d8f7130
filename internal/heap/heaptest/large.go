package heaptest

import (
	"fmt"

	"mallard/internal/abi"
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
