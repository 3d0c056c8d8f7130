// Command bench measures Mallard: increments per allocation, instrumenting beside ASM, run time of real programs, start-up, and the
// ways a counter could be kept.
//
//	go run ./bench -install                         installs the programs' packages (root), or says how
//	go run ./bench                                  everything: takes the better part of an hour
//	go run ./bench -workloads fop,h2 runtime        one part on two programs
//
// A part's figures replace the ones before in bench/out/figures.json; docs/benchmarks.md takes its tables from bench/out/tables.md.
// Ratios come from interleaved runs and are medians with the smallest and largest; increments and objects are exact.
// It is no test: nothing here fails because a figure is bad.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mallard/internal/jvmtest"
)

// session is what the parts of one measurement share.
type session struct {
	root      string // of the repository
	mallard   string // the binary
	jdks      []jvmtest.JDK
	jdk       jvmtest.JDK // runs the workloads
	workloads []Workload
	runs      int // interleaved pairs
	figures   *Figures
}

// A part measures one thing and stores it in the session's figures.
type part struct {
	name    string
	measure func(*session) error
}

var parts = []part{
	{"rates", measureRates},
	{"increments", measureIncrements},
	{"frequencies", measureFrequencies},
	{"instrumenting", measureInstrumenting},
	{"runtime", measureRuntime},
	{"startup", measureStartup},
	{"counters", measureCounters},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: bench [flags] [%s]...\n", strings.Join(names, "|"))
		flag.PrintDefaults()
	}
	chosen := flag.String("workloads", "", "comma-separated `names`; default all")
	release := flag.Int("jdk", 0, "feature `release` of the JDK that runs the workloads; default the oldest found")
	runs := flag.Int("runs", 5, "interleaved pairs of runs")
	binary := flag.String("mallard", filepath.Join("bin", "mallard"), "`path` of the binary, relative to the repository")
	installing := flag.Bool("install", false, "install the packages of the workloads, and end")
	flag.Parse()
	for _, name := range flag.Args() {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no part is called %q", name)
		}
	}

	var filter []string
	if *chosen != "" {
		filter = strings.Split(*chosen, ",")
	}
	selected, err := selectWorkloads(filter)
	if err != nil {
		return err
	}
	if *installing {
		return install(packages(selected))
	}
	s := &session{workloads: selected, runs: *runs}
	if s.root, err = jvmtest.Root(); err != nil {
		return err
	}
	if s.mallard = *binary; !filepath.IsAbs(s.mallard) {
		s.mallard = filepath.Join(s.root, s.mallard)
	}
	if s.jdks, err = jvmtest.FindJDKs(); err != nil {
		return err
	}
	s.jdk = s.jdks[0]
	if *release != 0 {
		i := slices.IndexFunc(s.jdks, func(jdk jvmtest.JDK) bool { return jdk.Feature == *release })
		if i < 0 {
			return fmt.Errorf("JDK %d is not installed", *release)
		}
		s.jdk = s.jdks[i]
	}
	return s.measure(flag.Args())
}

// measure runs the named parts, all for none. A part that fails is reported at the end and does not keep the others from running.
func (s *session) measure(names []string) error {
	out := filepath.Join(s.root, "bench", "out")
	var err error
	if s.figures, err = readFigures(out); err != nil {
		return err
	}
	s.figures.describe(s)
	var failures []error
	for _, p := range parts {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		s.say("%s", p.name)
		if err := p.measure(s); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", p.name, err))
		}
		if err := s.figures.write(out); err != nil {
			return err
		}
	}
	fmt.Print(s.figures.tables())
	return errors.Join(failures...)
}

// say reports progress; standard output has the tables only.
func (s *session) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}

// eachWorkload calls measure for the selected workloads that the JDK can run. One that fails is reported and left out.
func (s *session) eachWorkload(measure func(w Workload, c jvmtest.Command) error) error {
	var failures []error
	for _, w := range s.workloads {
		if w.Newest != 0 && s.jdk.Feature > w.Newest {
			s.say("%s does not run on JDK %d", w.Name, s.jdk.Feature)
			continue
		}
		s.say("  %s", w.Name)
		command, err := w.command(s.jdk, s.root)
		if err == nil {
			err = measure(w, command)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", w.Name, err))
		}
	}
	return errors.Join(failures...)
}
