package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// watchEvery is how often a process's memory is looked at. The kernel keeps the largest value, so that only what comes
// after the last look is missed, and a recorder lives for a while after its last snapshot, until its JVM has ended.
const watchEvery = 20 * time.Millisecond

// watchMemory looks at a process until the result is called, which gives the most memory that was resident, in MB.
func watchMemory(pid int) (peak func() float64) {
	stop, result := make(chan struct{}), make(chan float64)
	go func() {
		most := 0.0
		for tick := time.NewTicker(watchEvery); ; {
			select {
			case <-tick.C:
				most = max(most, mostResident(pid))
			case <-stop:
				tick.Stop()
				result <- most
				return
			}
		}
	}()
	return func() float64 {
		close(stop)
		return <-result
	}
}

// mostResident reads the line "VmHWM:    412344 kB" of /proc/PID/status, in MB; 0 for a process that has ended.
func mostResident(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			n, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
			return n / 1024
		}
	}
	return 0
}
