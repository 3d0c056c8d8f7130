// Command bench measures Mallard: what programs allocate, how much of it is counted at a site, increments per
// allocation, instrumenting beside ASM, run time, memory and pauses of real programs with Mallard and with Flight
// Recorder, start-up, the ways a counter could be kept, and a server that is attached to under load.
//
//	go run ./bench -install                              installs the programs' packages (root), or says how
//	go run ./bench                                       everything, on the oldest JDK with G1
//	go run ./bench -jdk 17,25 -gc g1,parallel,serial -resume runtime
//	                                                     the whole matrix, going on where it was interrupted
//	go run ./bench -workloads fop,h2 -variants mallard -rounds 3 runtime
//	go run ./bench -gc g1,parallel,serial -rounds 1 pauses
//	go run ./bench -docs                                 measures nothing; writes the tables and the plot into docs
//
// Figures are kept in bench/out/figures.json as they come, and a part's figures replace the ones before. Ratios come
// from interleaved runs and are medians with the smallest and largest; increments and objects are exact. It is no test:
// nothing here fails because a figure is bad.
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
		"comma-separated `variants` of runtime, turns, births and pauses besides plain: mallard, "+
			"mallard-no-cache, mallard-contexts, jfr, jfr-allocations, every-object (takes 10 times as long), "+
			"mallard-objects, mallard-objects-untagged, mallard-each-object, mallard-sampled, "+
			"mallard-samples-alone, mallard-replicas, before and before-contexts (see -before); default all but "+
			"the last nine, of pauses mallard and mallard-objects, of births mallard-objects")
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

	s := &session{named: *ways != "", rounds: *rounds, resume: *resume, quiet: *quiet, short: *short}
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
