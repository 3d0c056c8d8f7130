package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

// compilers are the ways that bytecode is executed, with a length of the loop that takes some milliseconds.
var compilers = []struct {
	name    string
	options []string
	loop    int
}{
	{"C2", nil, 20_000_000},
	{"C1", []string{"-XX:TieredStopAtLevel=1"}, 10_000_000},
	{"interpreter", []string{"-Xint"}, 500_000},
}

// carrierRelease is the first release in which the current thread may be virtual.
const carrierRelease = 21

// measureCounters runs bench/counters on each JDK with each compiler.
func measureCounters(s *session) error {
	s.figures.Counters = nil
	for _, jdk := range s.installed {
		folder, err := s.patchBase(jdk)
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		for _, compiler := range compilers {
			s.say("  %v, %s", jdk, compiler.name)
			options := []string{"-Xms1g", "-Xmx1g", "-Xmn600m", "-XX:+UseSerialGC", "--patch-module", "java.base=" +
				filepath.Join(folder, "java.base")}
			output, err := jdk.Run(jvmtest.Command{
				Options: append(options, compiler.options...),
				Main:    "java.lang.CounterBench",
				Args:    []string{fmt.Sprint(compiler.loop), fmt.Sprint(s.rounds)},
			})
			if err != nil {
				return err
			}
			if output.ExitCode != 0 {
				return fmt.Errorf("exit code %d: %s%s", output.ExitCode, output.Stdout, output.Stderr)
			}
			rows, err := readCounters(output.Stdout)
			if err != nil {
				return err
			}
			for _, row := range rows {
				row.JDK, row.Compiler = jdk.Version, compiler.name
				s.figures.Counters = append(s.figures.Counters, row)
			}
		}
	}
	return nil
}

// readCounters gathers the rounds of each candidate in each pattern.
func readCounters(stdout string) ([]CounterCandidate, error) {
	type key struct{ pattern, candidate string }
	var keys []key
	nanos := map[key][]float64{}
	for lines := bufio.NewScanner(strings.NewReader(stdout)); lines.Scan(); {
		field := strings.Split(lines.Text(), "\t")
		if len(field) != 3 {
			return nil, fmt.Errorf("counters: %q", lines.Text())
		}
		value, err := strconv.ParseFloat(field[0], 64)
		if err != nil {
			return nil, fmt.Errorf("counters: %q: %w", lines.Text(), err)
		}
		k := key{field[1], field[2]}
		if nanos[k] == nil {
			keys = append(keys, k)
		}
		nanos[k] = append(nanos[k], value)
	}
	var rows []CounterCandidate
	for _, k := range keys {
		rows = append(rows, CounterCandidate{Pattern: k.pattern, Candidate: k.candidate, Nanos: spread(nanos[k])})
	}
	return rows, nil
}

// patchBase makes the folder for --patch-module java.base, which is the caller's to remove: Thread with two fields
// more, and the benchmark.
func (s *session) patchBase(jdk jvmtest.JDK) (folder string, err error) {
	folder, err = os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(folder)
		}
	}()
	extract := exec.Command(jdk.Tool("jimage"), "extract", "--dir", folder, "--include",
		"/java.base/java/lang/Thread.class",
		filepath.Join(jdk.Home, "lib", "modules"))
	if output, err := extract.CombinedOutput(); err != nil {
		return "", fmt.Errorf("jimage: %w: %s", err, output)
	}
	base := filepath.Join(folder, "java.base")
	if err := addThreadFields(filepath.Join(base, "java", "lang", "Thread.class")); err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(s.root, "bench", "counters", "CounterBench.java"))
	if err != nil {
		return "", err
	}
	text := string(source)
	if jdk.Feature < carrierRelease {
		text = strings.ReplaceAll(text, "Thread.currentCarrierThread()", "Thread.currentThread()")
	}
	// javac takes a source for part of the module only if it lies in the patch.
	path := filepath.Join(base, "java", "lang", "CounterBench.java")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return "", err
	}
	compile := exec.Command(jdk.Tool("javac"), "-nowarn", "--patch-module", "java.base="+base, "-d", base, path)
	if output, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("javac: %w: %s", err, output)
	}
	return folder, nil
}

// addThreadFields adds the fields $counters and $page to java.lang.Thread.
func addThreadFields(path string) error {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	class, err := classfile.Parse(bytes)
	if err != nil {
		return err
	}
	for _, field := range [][2]string{{"$counters", "[J"}, {"$page", "J"}} {
		name, err := class.Pool.AddUtf8(field[0])
		if err != nil {
			return err
		}
		descriptor, err := class.Pool.AddUtf8(field[1])
		if err != nil {
			return err
		}
		class.Fields = append(class.Fields, classfile.Member{Name: name, Descriptor: descriptor})
	}
	patched, err := class.AppendTo(nil)
	if err != nil {
		return err
	}
	return os.WriteFile(path, patched, 0o644)
}
