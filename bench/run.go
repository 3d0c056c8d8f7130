package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
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
