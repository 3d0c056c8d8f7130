// Command soak has threads and class loaders come and go for a long time, with each way to record, and looks at what
// both processes take of memory and how the recording grows: after the first tenth of the time nothing may grow but the
// recording, by what is new.
//
//	go run ./tests/soak                                10 minutes of each way on each JDK, two at a time
//	go run ./tests/soak -for 1m -run 'threads/contexts' -v
//
// A table at the end has a row for each run. The exit code is 1 where something grew.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"mallard/internal/jvmtest"
)

func main() {
	grew, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	if grew {
		os.Exit(1)
	}
}

func run() (grew bool, err error) {
	root, err := jvmtest.Root()
	if err != nil {
		return false, err
	}
	length := flag.Duration("for", 10*time.Minute, "how long each run lasts")
	pattern := flag.String("run", "", "the runs whose names match this `regexp`")
	binary := flag.String("mallard", filepath.Join(root, "bin", "mallard"), "`path` of the binary")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many run at a time")
	verbose := flag.Bool("v", false, "print each sample")
	flag.Parse()
	chosen, err := regexp.Compile(*pattern)
	if err != nil {
		return false, err
	}
	jdks, err := jvmtest.FindJDKs()
	if err != nil {
		return false, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	m := &Machine{Root: root, Mallard: *binary, Length: *length}
	if *verbose {
		m.Each = func(s *Soak, at Sample) { fmt.Printf("%s %v\n", s.Name(), at) }
	}
	return m.runAll(ctx, runs(jdks, chosen), *jobs)
}

// runs gives those that were chosen.
func runs(jdks []jvmtest.JDK, chosen *regexp.Regexp) (list []*Soak) {
	for _, churn := range churns {
		for _, way := range ways {
			for _, jdk := range jdks {
				s := way
				s.Churn, s.JDK = churn, jdk
				if chosen.MatchString(s.Name()) {
					list = append(list, &s)
				}
			}
		}
	}
	return list
}

// runAll runs them, so many at a time, and prints a row for each.
func (m *Machine) runAll(ctx context.Context, list []*Soak, jobs int) (grew bool, err error) {
	next := make(chan *Soak)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, heading)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for s := range next {
				samples, failed := m.Run(ctx, s)
				mu.Lock()
				if failed != nil {
					err = fmt.Errorf("%s: %w", s.Name(), failed)
				} else {
					v := judge(samples)
					grew = grew || !s.Plain && len(v.Grew) > 0
					fmt.Fprintln(table, v.row(s))
				}
				mu.Unlock()
			}
		})
	}
	for _, s := range list {
		if ctx.Err() == nil {
			next <- s
		}
	}
	close(next)
	workers.Wait()
	return grew, errors.Join(err, table.Flush())
}
