package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"mallard/internal/jvmtest"
)

// measureRates runs each workload once, plain, and reads the collector's log.
func measureRates(s *session) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		log := filepath.Join(folder, w.Name)
		c.Options = append(c.Options, youngGeneration, "-Xlog:gc:file="+log+":timemillis:filecount=0")
		run, err := s.execute(at.jdk, c)
		if err != nil {
			return err
		}
		collections, err := readCollections(log)
		if err != nil {
			return err
		}
		megabytes, _ := allocated(collections, 0, math.MaxInt64)
		row := Rate{subject{at.jdk.Version, w.Name}, w.About, run.Seconds, run.CPU, megabytes, 0, run.Others,
			run.checksum}
		if timed, seconds := allocated(collections, run.began, run.ended); seconds > 0 {
			row.MegabytesPerSecond = timed / seconds
		}
		put(&s.figures.Rates, row, func(r Rate) subject { return r.subject })
		return nil
	})
}

// A collection is a line of the log, `[1763750000123ms] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
// 614M->5M(1024M) 3.1ms`.
type collection struct {
	at            int64   // in ms since 1970
	before, after float64 // MB in use
}

var collectionLine = regexp.MustCompile(`^\[(\d+)ms\].* (\d+)M->(\d+)M\(\d+M\)`)

func readCollections(log string) ([]collection, error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	var list []collection
	for line := range strings.Lines(string(text)) {
		if match := collectionLine.FindStringSubmatch(line); match != nil {
			at, _ := strconv.ParseInt(match[1], 10, 64)
			before, _ := strconv.Atoi(match[2])
			after, _ := strconv.Atoi(match[3])
			list = append(list, collection{at, float64(before), float64(after)})
		}
	}
	return list, nil
}

// allocated sums what was allocated between the first and the last collection of a time, in MB, and says how many
// seconds that was.
func allocated(list []collection, from, to int64) (megabytes, seconds float64) {
	var first, last *collection
	for i := range list {
		c := &list[i]
		if c.at < from || c.at > to {
			continue
		}
		if first == nil {
			first = c
		} else {
			megabytes += max(c.before-last.after, 0)
			seconds = float64(c.at-first.at) / 1e3
		}
		last = c
	}
	return megabytes, seconds
}
