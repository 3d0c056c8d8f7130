package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A clock reading says what time it is and how long processors have worked.
type clock struct {
	elapsed time.Duration // on the wall
	own     time.Duration // processor time of this process and of all that it waited for
	all     time.Duration // processor time of everybody on the machine
}

var started = time.Now()

func readClock() clock {
	return clock{time.Since(started), usage(unix.RUSAGE_SELF) + usage(unix.RUSAGE_CHILDREN), machine()}
}

func (c clock) since(before clock) clock {
	return clock{c.elapsed - before.elapsed, c.own - before.own, c.all - before.all}
}

// others is the share of the processors that others had, from 0 to 1.
func (c clock) others() float64 {
	capacity := c.elapsed.Seconds() * float64(runtime.NumCPU())
	return min(max((c.all-c.own).Seconds()/capacity, 0), 1)
}

func usage(who int) time.Duration {
	var u unix.Rusage
	if unix.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// machine reads /proc/stat (proc(5)), whose first line is "cpu", then user, nice, system, idle, iowait, irq, softirq
// and steal in hundredths of a second.
func machine() time.Duration {
	text, _ := os.ReadFile("/proc/stat")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var sum int64
	for i, field := range bytes.Fields(line) {
		if i == 0 || i == 4 || i == 5 || i > 8 {
			continue
		}
		n, _ := strconv.ParseInt(string(field), 10, 64)
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond
}

// processClock is the processor time of another process so far. Linux makes the clock's number of the process's
// (clock_getcpuclockid(3)).
func processClock(pid int) (time.Duration, error) {
	const scheduled = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
