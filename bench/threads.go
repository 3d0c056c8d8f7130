package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Kinds of threads, in the order of a table. All that is none of the others is the program's.
const (
	programThreads   = "program"
	compilerThreads  = "compilers"
	collectorThreads = "collector"
	vmThreads        = "VM, with the walks of pauses"
	readingThreads   = "reading the heap"
	recorderThreads  = "recorder"
)

var threadKinds = []string{programThreads, compilerThreads, collectorThreads, vmThreads, readingThreads,
	recorderThreads}

// namedThreads are what the names of a kind's threads begin with, as the kernel has them: 15 bytes.
var namedThreads = map[string]string{"C1 CompilerThre": compilerThreads, "C2 CompilerThre": compilerThreads,
	"GC Thread": collectorThreads, "G1 ": collectorThreads, "VM Thread": vmThreads, "mallard early": readingThreads,
	"mallard walk": readingThreads}

// kindOfThread is what a JVM's thread does.
func kindOfThread(name string) string {
	for begin, kind := range namedThreads {
		if strings.HasPrefix(name, begin) {
			return kind
		}
	}
	return programThreads
}

// threadClocks is the processor time that a process's threads have taken so far, in seconds by kind, without those that
// have ended. It is in nanoseconds in /proc/PID/task/TID/schedstat.
func threadClocks(pid int) (map[string]float64, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil || len(threads) == 0 {
		return nil, fmt.Errorf("threads of process %d: %w", pid, os.ErrNotExist)
	}
	clocks := map[string]float64{}
	for _, thread := range threads {
		name, err := os.ReadFile(filepath.Join(thread, "comm"))
		if err != nil { // it has ended meanwhile
			continue
		}
		text, err := os.ReadFile(filepath.Join(thread, "schedstat"))
		if err != nil {
			continue
		}
		ran, _, _ := strings.Cut(string(text), " ")
		nanoseconds, err := strconv.ParseInt(ran, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", thread, err)
		}
		clocks[kindOfThread(string(name))] += time.Duration(nanoseconds).Seconds()
	}
	return clocks, nil
}

// spentByThreads is what was spent between two times, of all that was spent: what threads have taken that ended
// meanwhile is the program's.
func spentByThreads(began, ended map[string]float64, all float64) map[string]float64 {
	by := map[string]float64{}
	for _, kind := range threadKinds[1:] {
		by[kind] = ended[kind] - began[kind]
		all -= by[kind]
	}
	by[programThreads] = all
	return by
}
