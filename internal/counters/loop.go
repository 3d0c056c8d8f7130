package counters

import (
	"log/slog"
	"runtime/debug"
	"sync"
)

// A Loop runs functions one after the other, in one goroutine: whoever has something for it goes on at once.
type Loop struct {
	log    *slog.Logger
	panics func(any) // is told what a function panicked with
	mu     sync.Mutex
	queue  []func()
	wake   chan struct{} // has a value when the queue may have something
	done   chan struct{} // closed when Run has ended
}

// NewLoop makes a Loop that nobody runs yet.
func NewLoop(log *slog.Logger, panics func(any)) *Loop {
	return &Loop{log: log, panics: panics, wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// Post has a function run after those that were posted before. It waits for nothing. After the end of Run it does
// nothing.
func (l *Loop) Post(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Do is Post, and waits until the function has run. It is false where Run has ended before.
func (l *Loop) Do(f func()) bool {
	ran := make(chan struct{})
	l.Post(func() {
		defer close(ran)
		f()
	})
	select {
	case <-ran:
		return true
	case <-l.done:
		select {
		case <-ran:
			return true
		default:
			return false
		}
	}
}

// Run runs what is posted until stop is closed, and what had been posted by then.
func (l *Loop) Run(stop <-chan struct{}) {
	defer close(l.done)
	for {
		for f := l.next(); f != nil; f = l.next() {
			l.guard(f)
		}
		select {
		case <-l.wake:
		case <-stop:
			for f := l.next(); f != nil; f = l.next() {
				l.guard(f)
			}
			return
		}
	}
}

func (l *Loop) next() func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) == 0 {
		return nil
	}
	f := l.queue[0]
	l.queue[0] = nil
	l.queue = l.queue[1:]
	return f
}

// guard runs a function; a mistake of ours in it ends the function, and nothing else.
func (l *Loop) guard(f func()) {
	defer func() {
		if e := recover(); e != nil {
			l.log.Debug("counting panicked", "error", e, "stack", string(debug.Stack()))
			l.panics(e)
		}
	}()
	f()
}
