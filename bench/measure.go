package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mallard/internal/jvmtest"
)

// measurement is one run of a workload.
type measurement struct {
	whole    time.Duration // of the process
	cpu      time.Duration // of the process and those it waited for
	steady   time.Duration // all timed iterations
	checksum string
}

// execute runs a workload, which must succeed and print its checksum.
func (s *session) execute(c jvmtest.Command) (measurement, error) {
	c.Timeout = 10 * time.Minute
	output, err := s.jdk.Run(c)
	if err != nil {
		return measurement{}, err
	}
	if output.ExitCode != 0 {
		return measurement{}, fmt.Errorf("exit code %d: %s", output.ExitCode, output.Stderr)
	}
	m := measurement{whole: output.Elapsed, cpu: output.CPU}
	for lines := bufio.NewScanner(strings.NewReader(output.Stdout)); lines.Scan(); {
		field := strings.Fields(lines.Text())
		switch {
		case len(field) == 3 && field[0] == "iteration":
			millis, err := strconv.Atoi(field[1])
			if err != nil {
				return measurement{}, err
			}
			m.steady += time.Duration(millis) * time.Millisecond
		case len(field) == 2 && field[0] == "checksum":
			m.checksum = field[1]
		}
	}
	if m.checksum == "" {
		return measurement{}, fmt.Errorf("no checksum in %q", output.Stdout)
	}
	return m, nil
}

// profiled returns the command under `mallard run` with a placement, and the recording it writes, which is the caller's to remove.
func (s *session) profiled(c jvmtest.Command, placement string) (command jvmtest.Command, recording string, err error) {
	if _, err := os.Stat(s.mallard); err != nil {
		return c, "", fmt.Errorf("build mallard first: %w", err)
	}
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return c, "", err
	}
	recording = filepath.Join(folder, "run.mallard")
	c.Wrap = []string{s.mallard, "run", "-q", "--placement", placement, "-o", recording, "--"}
	return c, recording, nil
}

func removeRecording(path string) { os.RemoveAll(filepath.Dir(path)) }
