package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// progress prints what becomes of cases.
type progress struct {
	kept  *results
	cases int

	mu       sync.Mutex
	done     int      // in this run and before
	failures []string // with what was wrong
	err      error    // of keeping what has passed
}

// ended notes that a case has ended, with what was wrong, if anything was.
func (p *progress) ended(c *Case, wrong error, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	verdict := "ok"
	if wrong != nil {
		verdict = "FAILED"
	}
	fmt.Printf("%d/%d %s %s %.1fs\n", p.done, p.cases, verdict, c.Name(), took.Seconds())
	if wrong == nil {
		p.err = errors.Join(p.err, p.kept.pass(c.Name()))
		return
	}
	text := fmt.Sprintf("%s\n    %s\n    again: %s", c.Name(), strings.ReplaceAll(wrong.Error(), "\n", "\n    "),
		c.Again())
	p.failures = append(p.failures, text)
	fmt.Println(text)
}

// runAll runs cases, so many at a time, until an interrupt, but those that have passed before. It gives how many
// failed.
func (m *Machine) runAll(cases []*Case, jobs int, kept *results) (failed int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	start, all := time.Now(), len(cases)
	left := slices.DeleteFunc(cases, func(c *Case) bool { return kept.passed[c.Name()] })
	before := all - len(left)
	p := &progress{kept: kept, cases: all, done: before}
	next := make(chan *Case)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for c := range next {
				began := time.Now()
				p.ended(c, m.Check(c), time.Since(began))
			}
		})
	}
	offer(ctx, left, next)
	workers.Wait()
	fmt.Printf("%d cases in %v, %d passed before, %d not run, %d failed\n", p.done-before,
		time.Since(start).Round(time.Second), before, all-p.done, len(p.failures))
	for _, f := range p.failures {
		fmt.Println(f)
	}
	return len(p.failures), p.err
}

// offer gives cases to workers until all are given, or ctx ends.
func offer(ctx context.Context, cases []*Case, to chan<- *Case) {
	defer close(to)
	for _, c := range cases {
		select {
		case to <- c:
		case <-ctx.Done():
			return
		}
	}
}
