// Command bench measures Mallard: what programs allocate, how much of it is counted at a site, increments per
// allocation, instrumenting beside ASM, run time and memory of real programs with Mallard and with Flight Recorder,
// start-up, and the ways a counter could be kept.
//
//	go run ./bench -install                              installs the programs' packages (root), or says how
//	go run ./bench                                       everything, on the oldest JDK with G1
//	go run ./bench -jdk 17,25 -gc g1,parallel,serial -resume runtime
//	                                                     the whole matrix, going on where it was interrupted
//	go run ./bench -workloads fop,h2 -variants mallard -rounds 3 runtime
//	go run ./bench -docs                                 measures nothing; writes the tables and the plot into docs
//
// Figures are kept in bench/out/figures.json as they come, and a part's figures replace the ones before. Ratios come
// from interleaved runs and are medians with the smallest and largest; increments and objects are exact. It is no test:
// nothing here fails because a figure is bad.
package main

import (
	"crypto/sha256"
	"encoding/hex"
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
	root       string        // of the repository
	mallard    string        // the binary
	before     string        // another one, "" without
	installed  []jvmtest.JDK // all that there are
	jdks       []jvmtest.JDK // that run workloads
	collectors []string
	workloads  []Workload
	variants   []variant
	rounds     int // in each of which everything that is compared runs once
	resume     bool
	quiet      float64 // share of the processors that others may have while times are measured; 0 any
	short      bool    // see that everything works, for figures of no use
	figures    *Figures
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
	{"attribution", measureAttribution},
	{"adaptation", measureAdaptation},
	{"instrumenting", measureInstrumenting},
	{"runtime", measureRuntime},
	{"turns", measureTurns},
	{"startup", measureStartup},
	{"counters", measureCounters},
	{"events", measureEvents},
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
	releases := flag.String("jdk", "",
		"comma-separated feature `releases` of the JDKs that run the workloads; default the oldest found")
	gc := flag.String("gc", collectors[0], "comma-separated `collectors`: "+strings.Join(collectors, ", "))
	ways := flag.String("variants", "",
		"comma-separated `variants` of runtime besides plain: mallard, mallard-no-cache, mallard-contexts, "+
			"jfr, jfr-allocations, every-object (takes 10 times as long), before and before-contexts (see -before); "+
			"default all but the last three")
	rounds := flag.Int("rounds", 5, "how often everything runs in turn")
	resume := flag.Bool("resume", false, "keep the rounds of runtime that were measured with the same binary")
	quiet := flag.Float64("quiet", 0,
		"measure runtime and startup only while others have less than this `share` of the processors, "+
			"0 to 1; 0 does not wait")
	short := flag.Bool("short", false,
		"one iteration of each workload, figures in bench/out/short: to see that everything works")
	binary := flag.String("mallard", filepath.Join("bin", "mallard"),
		"`path` of the binary, relative to the repository")
	other := flag.String("before", "",
		"`path` of another build's binary, for the variants before and before-contexts, beside this one")
	installing := flag.Bool("install", false, "install the packages of the workloads, and end")
	writing := flag.Bool("docs", false,
		"write what was measured, now or before, into bench/results, and docs/benchmarks.md from all results; "+
			"without a part named, measure nothing")
	flag.Parse()
	for _, name := range flag.Args() {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no part is called %q", name)
		}
	}

	s := &session{rounds: *rounds, resume: *resume, quiet: *quiet, short: *short}
	var err error
	if s.workloads, err = selectWorkloads(*chosen); err != nil {
		return err
	}
	if *installing {
		return install(packages(s.workloads))
	}
	if s.collectors, err = selectCollectors(*gc); err != nil {
		return err
	}
	if s.variants, err = selectVariants(*ways); err != nil {
		return err
	}
	if s.root, err = jvmtest.Root(); err != nil {
		return err
	}
	if s.mallard = *binary; !filepath.IsAbs(s.mallard) {
		s.mallard = filepath.Join(s.root, s.mallard)
	}
	if *other != "" {
		if s.before, err = filepath.Abs(*other); err != nil {
			return err
		}
	}
	if s.installed, err = jvmtest.FindJDKs(); err != nil {
		return err
	}
	if s.jdks, err = selectJDKs(s.installed, *releases); err != nil {
		return err
	}
	if s.figures, err = readFigures(s.out()); err != nil {
		return err
	}
	if !*writing || flag.NArg() > 0 {
		err = s.measure(flag.Args())
	}
	if *writing {
		err = errors.Join(err, s.figures.document(s.root))
	}
	return err
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

// measure runs the named parts, all for none. A part that fails is reported at the end and does not keep the others
// from running.
func (s *session) measure(names []string) error {
	var failures []error
	for _, p := range parts {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		s.say("%s", p.name)
		if err := p.measure(s); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", p.name, err))
		}
		if err := s.save(); err != nil {
			return err
		}
		for _, t := range s.figures.tables(p.name) {
			fmt.Println(t)
		}
	}
	return errors.Join(failures...)
}

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
