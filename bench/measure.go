package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mallard/internal/jvmtest"
)

// A Run is one run of a workload.
type Run struct {
	Seconds float64 `json:"seconds"` // of the process
	// of the process and those it waited for: collector, compilers, recorder
	CPU      float64  `json:"cpu_seconds"`
	Steady   float64  `json:"steady_seconds"`        // all timed iterations
	Memory   float64  `json:"memory_mb"`             // of the JVM: the most that was resident
	Recorder float64  `json:"recorder_mb,omitempty"` // the same of the process that records
	Others   float64  `json:"others"`                // share of the machine's processors that others used meanwhile
	Counted  *counted `json:"counted,omitempty"`     // what the recording says of it
	checksum string   // of the work
	began    int64    // when the timed iterations did, in ms since 1970
	ended    int64
}

// runLimit bounds a run; one that takes longer hangs.
const runLimit = 20 * time.Minute

// execute runs a workload, which must succeed and print its checksum. Words before java are taken for a recorder's,
// whose memory is looked at.
func (s *session) execute(jdk jvmtest.JDK, c jvmtest.Command) (Run, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	command := jdk.Exec(ctx, c)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := preparePages(); err != nil {
		return Run{}, err
	}
	before := readClock()
	if err := command.Start(); err != nil {
		return Run{}, err
	}
	peak := func() float64 { return 0 }
	if len(c.Wrap) > 0 {
		peak = watchMemory(command.Process.Pid)
	}
	err := command.Wait()
	spent := readClock().since(before)
	run := Run{Seconds: spent.elapsed.Seconds(), CPU: spent.own.Seconds(), Others: spent.others(), Recorder: peak()}
	if err != nil {
		return Run{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return run, run.read(stdout.String())
}

// read takes what bench/workloads/Workload.java prints; other lines are somebody else's.
func (r *Run) read(output string) error {
	for lines := bufio.NewScanner(strings.NewReader(output)); lines.Scan(); {
		field := strings.Fields(lines.Text())
		var err error
		number := func(i int) (n int64) {
			if err == nil {
				n, err = strconv.ParseInt(field[i], 10, 64)
			}
			return n
		}
		switch {
		case len(field) == 3 && field[0] == "iteration":
			r.Steady += float64(number(1)) / 1e3
		case len(field) == 3 && field[0] == "timed":
			r.began, r.ended = number(1), number(2)
		case len(field) == 3 && field[0] == "memory":
			r.Memory = float64(number(1)) / 1024
		case len(field) == 2 && field[0] == "checksum":
			r.checksum = field[1]
		}
		if err != nil {
			return fmt.Errorf("%q: %w", lines.Text(), err)
		}
	}
	if r.checksum == "" {
		return fmt.Errorf("no checksum in %q", output)
	}
	return nil
}
