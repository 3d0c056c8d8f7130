package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// Passes over all classes: the first is cold (for the JVM: mostly interpreted), the last warm.
const instrumentingRounds = 8

// newestASM is the newest class-file release that Debian's ASM reads.
const newestASM = 20

// measureInstrumenting takes the classes of the newest JDK that ASM can read.
func measureInstrumenting(s *session) error {
	var jdk *jvmtest.JDK
	for i := range s.installed {
		if s.installed[i].Feature <= newestASM {
			jdk = &s.installed[i]
		}
	}
	if jdk == nil {
		return fmt.Errorf("no JDK up to %d, which is what this ASM reads", newestASM)
	}
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "classes")
	times, err := timeASM(s, *jdk, file)
	if err != nil {
		return err
	}
	classes, err := readClasses(file)
	if err != nil {
		return err
	}
	for _, name := range placements {
		strategy, err := placement.ParseStrategy(name)
		if err != nil {
			return err
		}
		for _, round := range []int{0, instrumentingRounds - 1} {
			rounds := max(round, 1) // a Go process is warm after its first pass
			var pass []time.Duration
			for range rounds {
				if pass, err = timeRewrite(classes, instrument.Options{Placement: strategy}); err != nil {
					return err
				}
			}
			times = append(times, classTimes(fmt.Sprintf("mallard, %s, %s", name, temperature(round)), pass))
		}
	}
	s.figures.Instrumenting = &Instrumenting{JDK: jdk.Version, Classes: len(classes), Times: times}
	return nil
}

func temperature(round int) string {
	if round == 0 {
		return "cold"
	}
	return "warm"
}

// timeASM runs the peer, which also writes the classes to file.
func timeASM(s *session, jdk jvmtest.JDK, file string) ([]ClassTimes, error) {
	asm := filepath.Join(jarFolder, "asm.jar")
	if _, err := os.Stat(asm); err != nil {
		return nil, fmt.Errorf("install %s: %w", asmPackage, err)
	}
	classes, err := jdk.Javac([]string{"-cp", asm}, filepath.Join(s.root, "bench", "asm", "ReadWrite.java"))
	if err != nil {
		return nil, err
	}
	output, err := jdk.Run(jvmtest.Command{
		Options: heap, Classpath: []string{classes, asm}, Main: "ReadWrite", Args: []string{file,
			fmt.Sprint(instrumentingRounds)},
	})
	if err != nil {
		return nil, err
	}
	if output.ExitCode != 0 {
		return nil, fmt.Errorf("asm: exit code %d: %s", output.ExitCode, output.Stderr)
	}
	names := map[string]string{"write": "ASM, read and write", "copy": "ASM, copy shortcut"}
	var times []ClassTimes
	for lines := bufio.NewScanner(strings.NewReader(output.Stdout)); lines.Scan(); {
		var name string
		var round int
		var median, p99, total float64
		if _, err := fmt.Sscan(lines.Text(), &name, &round, &median, &p99, &total); err != nil {
			return nil, fmt.Errorf("asm: %q: %w", lines.Text(), err)
		}
		// The copying rounds come after the writing ones, so the first of them is no longer cold.
		if round == instrumentingRounds-1 || round == 0 && name == "write" {
			times = append(times, ClassTimes{names[name] + ", " + temperature(round), median / 1e3, p99 / 1e3,
				total / 1e6})
		}
	}
	return times, nil
}

// readClasses reads what bench/asm wrote.
func readClasses(path string) ([][]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	var classes [][]byte
	for {
		var length uint32
		if err := binary.Read(in, binary.BigEndian, &length); errors.Is(err, io.EOF) {
			return classes, nil
		} else if err != nil {
			return nil, err
		}
		class := make([]byte, length)
		if _, err := io.ReadFull(in, class); err != nil {
			return nil, err
		}
		classes = append(classes, class)
	}
}

// timeRewrite instruments each class once and returns the times.
func timeRewrite(classes [][]byte, options instrument.Options) ([]time.Duration, error) {
	times := make([]time.Duration, len(classes))
	for i, class := range classes {
		start := time.Now()
		_, err := instrument.Rewrite(class, options)
		times[i] = time.Since(start)
		if err != nil {
			return nil, err
		}
	}
	return times, nil
}

func classTimes(what string, times []time.Duration) ClassTimes {
	sorted := slices.Sorted(slices.Values(times))
	var total time.Duration
	for _, t := range sorted {
		total += t
	}
	micros := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
	return ClassTimes{what, micros(quantile(sorted, 0.5)), micros(quantile(sorted, 0.99)), micros(total) / 1e3}
}
