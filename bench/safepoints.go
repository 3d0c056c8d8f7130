package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A safepoint is a line of the JVM's log, of JDK 17 and 25:
//
//	[1795991544509ms] Safepoint "G1CollectForAllocation", Time since last: 123774943 ns, Reaching safepoint: 6722 ns,
//	Cleanup: 9739 ns, At safepoint: 2594751 ns, Total: 2611212 ns
//	[1795991549718ms] Safepoint "ParallelCollectForAllocation", Time since last: 96320743 ns, Reaching safepoint:
//	4007 ns, At safepoint: 6088685 ns, Leaving safepoint: 3106 ns, Total: 6095798 ns, Threads: 0 runnable, 10 total
type safepoint struct {
	ended     int64         // in ms since 1970
	operation string        // of the VM, for which threads stood still
	pause     time.Duration // at the safepoint; until all threads are there some of them still run
}

const safepointLog = "safepoints.log"

// safepointOption has a JVM log its safepoints into a file of a folder.
func safepointOption(folder string) string {
	return "-Xlog:safepoint:file=" + filepath.Join(folder, safepointLog) + ":timemillis:filecount=0"
}

var safepointLine = regexp.MustCompile(`^\[(\d+)ms\] Safepoint "(\w+)",.* At safepoint: (\d+) ns, `)

// readSafepoints reads the log that safepointOption asks for. A line that is not understood is an error: a pause would
// be missing.
func readSafepoints(folder string) ([]safepoint, error) {
	text, err := os.ReadFile(filepath.Join(folder, safepointLog))
	if err != nil {
		return nil, err
	}
	var list []safepoint
	for line := range strings.Lines(string(text)) {
		match := safepointLine.FindStringSubmatch(line)
		if match == nil {
			return nil, fmt.Errorf("%s: no safepoint: %q", safepointLog, line)
		}
		ended, err := strconv.ParseInt(match[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", safepointLog, err)
		}
		nanos, err := strconv.ParseInt(match[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", safepointLog, err)
		}
		list = append(list, safepoint{ended, match[2], time.Duration(nanos)})
	}
	return list, nil
}

// collecting are the operations of the VM that are collections or a part of one, in the words of JDK 17 and 25:
// GenCollectFull, SerialCollectForAllocation, CollectForMetadataAllocation, ParallelGCFailedAllocation, G1PauseRemark,
// G1TryInitiateConcMark, ...
var collecting = regexp.MustCompile(`Collect|^ParallelGC|^G1(Concurrent|Pause|TryInitiate)`)

// collects says whether threads that stand still for an operation do so for a collection.
func collects(operation string) bool { return collecting.MatchString(operation) }
