package view

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// manyNumbers is how many of a million things are worked on in one go.
const manyNumbers = 1 << 14

// split has the numbers below n worked on by as many goroutines as there are processors: each takes pieces of a length,
// from where to where, as long as there are some. Where there is one piece no goroutine is started.
func split(n, length int, work func(pieces iter.Seq2[int, int])) {
	var taken atomic.Int64
	count := (n + length - 1) / length
	pieces := func(yield func(from, to int) bool) {
		for {
			from := (int(taken.Add(1)) - 1) * length
			if from >= n || !yield(from, min(n, from+length)) {
				return
			}
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), count) - 1 {
		others.Go(func() { work(pieces) })
	}
	work(pieces)
	others.Wait()
}
