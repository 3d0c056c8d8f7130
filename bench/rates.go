package main

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"mallard/internal/jvmtest"
)

// Rate is how much a workload allocates.
type Rate struct {
	Workload           string  `json:"workload"`
	About              string  `json:"about"`
	Seconds            float64 `json:"seconds"`     // whole process
	CPUSeconds         float64 `json:"cpu_seconds"` // compiler and collector threads included
	Megabytes          float64 `json:"megabytes"`   // allocated, from the collector's log
	MegabytesPerSecond float64 `json:"megabytes_per_second"`
	Checksum           string  `json:"checksum"`
}

// measureRates runs each workload once, plain, and reads the collector's log.
func measureRates(s *session) error {
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var rows []Rate
	err = s.eachWorkload(func(w Workload, c jvmtest.Command) error {
		log := filepath.Join(folder, w.Name)
		c.Options = append(c.Options, "-Xlog:gc:file="+log)
		m, err := s.execute(c)
		if err != nil {
			return err
		}
		megabytes, err := allocated(log)
		if err != nil {
			return err
		}
		seconds := m.whole.Seconds()
		rows = append(rows, Rate{w.Name, w.About, seconds, m.cpu.Seconds(), megabytes, megabytes / seconds, m.checksum})
		return nil
	})
	s.figures.Rates = rows
	return err
}

// collection matches `Pause Young (Normal) (G1 Evacuation Pause) 614M->5M(1024M)`.
var collection = regexp.MustCompile(`(\d+)M->(\d+)M\(\d+M\)`)

// allocated sums what was allocated between collections, in MB. What came after the last one, less than a heap's worth, is missing.
func allocated(log string) (float64, error) {
	file, err := os.Open(log)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var sum, live int
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		match := collection.FindStringSubmatch(lines.Text())
		if match == nil {
			continue
		}
		before, _ := strconv.Atoi(match[1])
		after, _ := strconv.Atoi(match[2])
		sum += max(before-live, 0)
		live = after
	}
	return float64(sum), lines.Err()
}
