package contexts

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Contexts are recorded now and then while the program runs, for the case that mallard is killed, or as often as is
// asked for: with every second snapshot of threads, and so rarely that it takes a small share of a processor. How long
// it takes is not what counts: on a busy machine most of that is waiting.
const (
	recordEvery = 1500 * time.Millisecond
	recordShare = 10
)

// slack is how much earlier than planned contexts may be recorded.
const slack = time.Millisecond / 2

// schedule says when contexts are recorded again.
type schedule struct {
	every time.Duration // wanted between two records
	next  time.Time
}

// due reports whether it is time to record.
func (s *schedule) due(now time.Time) bool { return !now.Before(s.next) }

// record calls a function that records, which starts now.
func (s *schedule) record(now time.Time, f func()) {
	s.next = now.Add(max(s.every-slack, recordShare*processorTime(f)))
}

// processorTime gives the processor time that a function takes of its own thread.
func processorTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := ownProcessorTime()
	f()
	return ownProcessorTime() - before
}

// ownProcessorTime gives the processor time that this thread has had.
func ownProcessorTime() time.Duration {
	var usage unix.Rusage
	unix.Getrusage(unix.RUSAGE_THREAD, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
