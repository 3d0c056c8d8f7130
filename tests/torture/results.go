package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// results remembers the names of cases that have passed, a line each, below the hash of the binary that they passed
// with.
type results struct {
	mu     sync.Mutex
	file   *os.File
	passed map[string]bool
}

// openResults reads what has passed with the binary, where the run is to go on.
func openResults(folder, binary string, resume bool) (*results, error) {
	b, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(b)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(folder, hex.EncodeToString(hash[:8]))
	r := &results{passed: map[string]bool{}}
	flags := os.O_CREATE | os.O_RDWR | os.O_APPEND
	if !resume {
		flags |= os.O_TRUNC
	}
	if r.file, err = os.OpenFile(name, flags, 0o644); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(r.file); lines.Scan(); {
		r.passed[lines.Text()] = true
	}
	return r, nil
}

func (r *results) pass(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := fmt.Fprintln(r.file, name)
	return err
}

// Close keeps what has passed.
func (r *results) Close() error { return r.file.Close() }

// runAll runs cases, so many at a time, until an interrupt. It gives how many failed.
func (m *Machine) runAll(cases []*Case, jobs int, kept *results) (failed int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var (
		mu       sync.Mutex
		failures []string
		done     int
		next     = make(chan *Case)
		workers  sync.WaitGroup
		start    = time.Now()
		before   int
	)
	for range jobs {
		workers.Go(func() {
			for c := range next {
				began := time.Now()
				wrong := m.Check(c)
				mu.Lock()
				done++
				fmt.Printf("%d/%d %s %s %.1fs\n", done+before, len(cases), map[bool]string{true: "ok", false: "FAILED"}[wrong ==
					nil], c.Name(), time.Since(began).Seconds())
				if wrong != nil {
					text := fmt.Sprintf("%s\n    %s\n    again: %s", c.Name(),
						strings.ReplaceAll(wrong.Error(), "\n", "\n    "), c.Again())
					failures = append(failures, text)
					fmt.Println(text)
				} else if e := kept.pass(c.Name()); e != nil {
					err = errors.Join(err, e)
				}
				mu.Unlock()
			}
		})
	}
	for _, c := range cases {
		if kept.passed[c.Name()] {
			before++
		}
	}
	for _, c := range cases {
		if kept.passed[c.Name()] {
			continue
		}
		select {
		case next <- c:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	fmt.Printf("%d cases in %v, %d passed before, %d not run, %d failed\n", done, time.Since(start).Round(time.Second),
		before, len(cases)-before-done, len(failures))
	for _, f := range failures {
		fmt.Println(f)
	}
	return len(failures), err
}
