// Command torture runs programs that end in all ways, under all observers and options, with and without Mallard, and
// holds against each other what they print, how they end and how long they live. What is promised in each case is in
// tables; docs/reliability.md is made of them.
//
//	go run ./tests/torture                         the whole matrix: half an hour on two quiet cores
//	go run ./tests/torture -resume                 the same, going on where it was interrupted
//	go run ./tests/torture -run 'deaths/.*/jdk25'  cases whose names match
//	go run ./tests/torture -kills 10000 -run kills 10,000 recorders killed at random moments
//
// Names of the cases are printed as they end, with those that failed again at the end, each with the command that
// repeats it. The exit code is 1 where one failed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"mallard/internal/jvmtest"
)

func main() {
	failed, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func run() (failed int, err error) {
	root, err := jvmtest.Root()
	if err != nil {
		return 0, err
	}
	pattern := flag.String("run", "", "run the cases whose names match this `regexp`")
	kills := flag.Int("kills", 200, "how many recorders are killed at random moments")
	short := flag.Bool("short", false, "the cases that CI runs")
	resume := flag.Bool("resume", false, "leave out what has passed with the same binary")
	list := flag.Bool("list", false, "name the cases, and run none")
	binary := flag.String("mallard", filepath.Join(root, "bin", "mallard"), "`path` of the binary")
	out := flag.String("out", filepath.Join(root, "build", "torture"), "`folder` of what has passed")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many cases run at a time")
	flag.Parse()
	chosen, err := regexp.Compile(*pattern)
	if err != nil {
		return 0, err
	}
	jdks, err := jvmtest.FindJDKs()
	if err != nil {
		return 0, err
	}
	cases := Matrix(jdks, *kills)
	if *short {
		cases = Short(cases, len(jdks))
	}
	cases = matching(cases, chosen)
	if *list {
		for _, c := range cases {
			fmt.Println(c.Name())
		}
		return 0, nil
	}
	library, err := libraryOf(*binary)
	if err != nil {
		return 0, err
	}
	m := &Machine{Root: root, Mallard: *binary, Library: library}
	if err := adoptJVMs(); err != nil {
		return 0, err
	}
	kept, err := openResults(*out, *binary, *resume)
	if err != nil {
		return 0, err
	}
	defer kept.Close()
	return m.runAll(cases, *jobs, kept)
}

// matching gives the cases that were chosen.
func matching(cases []*Case, chosen *regexp.Regexp) []*Case {
	var some []*Case
	for _, c := range cases {
		if chosen.MatchString(c.Name()) {
			some = append(some, c)
		}
	}
	return some
}
