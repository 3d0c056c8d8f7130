package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"mallard/internal/jvmtest"
)

// session is what the parts of one measurement share.
type session struct {
	builds
	installed  []jvmtest.JDK // all that there are
	jdks       []jvmtest.JDK // that run workloads
	collectors []string
	workloads  []Workload
	variants   []variant
	named      bool // the variants are those that were asked for
	rounds     int  // in each of which everything that is compared runs once
	resume     bool
	quiet      float64 // share of the processors that others may have while times are measured; 0 any
	short      bool    // see that everything works, for figures of no use
	figures    *Figures
}

// out is the folder of the figures.
func (s *session) out() string {
	folder := filepath.Join(s.root, "bench", "out")
	if s.short {
		return filepath.Join(folder, "short")
	}
	return folder
}

// command compiles a workload's driver and returns the command that runs it.
func (s *session) command(w Workload, at setting) (jvmtest.Command, error) {
	if s.short {
		w.Warmup, w.Timed = 0, 1
	}
	return w.command(at, s.root)
}

// save keeps what was measured so far.
func (s *session) save() error { return s.figures.write(s.out()) }

// say reports progress; standard output has the tables only.
func (s *session) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}

// eachWorkload calls measure for the selected workloads on each JDK that can run them, with the first collector, and
// keeps what it measured. One that fails is reported and left out.
func (s *session) eachWorkload(measure func(Workload, setting, jvmtest.Command) error) error {
	var failures []error
	for _, jdk := range s.jdks {
		at := setting{jdk, s.collectors[0]}
		for _, w := range s.workloads {
			if !w.runsOn(jdk) {
				s.say("  %s does not run on %v", w.Name, jdk)
				continue
			}
			s.say("  %v, %s", jdk, w.Name)
			command, err := s.command(w, at)
			if err == nil {
				err = measure(w, at, command)
			}
			if err != nil {
				failures = append(failures, fmt.Errorf("%s, %v: %w", w.Name, jdk, err))
			}
			if err := s.save(); err != nil {
				return err
			}
		}
	}
	return errors.Join(failures...)
}

// binaryHash tells builds of mallard apart.
func (s *session) binaryHash() (string, error) {
	binary, err := os.ReadFile(s.mallard)
	hash := sha256.Sum256(binary)
	return hex.EncodeToString(hash[:8]), err
}

// settings lists every JDK with every collector that was chosen.
func (s *session) settings() []setting {
	var all []setting
	for _, jdk := range s.jdks {
		for _, collector := range s.collectors {
			all = append(all, setting{jdk, collector})
		}
	}
	return all
}

// shorter is a number for a command, a hundredth of it where figures are of no use.
func (s *session) shorter(n int) string {
	if s.short {
		n /= 100
	}
	return strconv.Itoa(n)
}
