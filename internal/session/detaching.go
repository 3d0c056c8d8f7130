package session

import (
	"sync"
	"time"

	"mallard/internal/trace"
)

// detaching is the end of a recording of a JVM that was attached to, and runs on as it was.
type detaching struct {
	once    *sync.Once
	wanted  chan struct{} // closed when it is
	over    chan struct{} // closed when the agent has done it, or nobody is told any more
	outcome Detached

	counters func() trace.CounterID // below are the numbers that the session has given to counters
}

// Detached is what became of the classes of a JVM.
type Detached struct {
	Took   time.Duration // until they were as they had been
	Failed int           // that the JVM would not change back: they go on counting, for nobody
}

func newDetaching() detaching {
	return detaching{once: &sync.Once{}, wanted: make(chan struct{}), over: make(chan struct{})}
}

func (d *detaching) ask() { d.once.Do(func() { close(d.wanted) }) }

func (d *detaching) asked() bool {
	select {
	case <-d.wanted:
		return true
	default:
		return false
	}
}
