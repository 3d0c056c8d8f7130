package jvm

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Running is a JVM that runs.
type Running struct {
	PID     int
	Command []string // the launcher and its arguments
}

// All lists the JVMs that this user may see, by their numbers, as jps does: by the files in which they have their
// counters. Those without (-XX:-UsePerfData) are not found.
func All() (list []Running) {
	files, err := filepath.Glob("/tmp/hsperfdata_*/[0-9]*")
	if err != nil {
		return nil // the pattern is well formed
	}
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(file))
		if err != nil {
			continue
		}
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || len(line) == 0 {
			continue // it has ended
		}
		command := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		list = append(list, Running{PID: pid, Command: command})
	}
	slices.SortFunc(list, func(a, b Running) int { return a.PID - b.PID })
	return list
}
