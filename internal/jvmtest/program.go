package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Program is a test program: one Java file under testdata/programs. Its first line says what the other fields hold.
type Program struct {
	Name          string // main class
	Path          string // source file
	MultiThreaded bool   // threads: single|multi
	Crosses       bool   // crosses: yes when an exception leaves a point between an allocation and its counter
	MinJDK        int    // min-jdk: oldest release that runs it
	Release       int    // release: javac --release; 0 means that of the JDK
	Exit          int    // exit: the exit code
	Deterministic bool   // deterministic: yes when each run allocates the same
	Stdin         string // stdin: one line for the program to read
	OwnJVM        bool   // jvm: own when it ends the JVM, or leaves threads behind
	Expected      []Expectation
}

// Expectation is an annotation of one line: `// alloc: CLASS xN[, ...]` says what its allocation bytecodes make in a
// whole run, `// unseen: CLASS xN[, ...]` what comes into being on its behalf without one: by reflection, clone,
// deserialisation.
type Expectation struct {
	Unseen  bool
	Line    int
	Class   string // as Java writes it, nested classes by their binary name: int[][], Outer$Inner
	Objects int64
}

// Programs returns the test programs by name. A header or an annotation that cannot be read fails the test.
func Programs(tb testing.TB) []Program {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(MustRoot(tb), "testdata", "programs", "*.java"))
	if err != nil {
		tb.Fatal(err)
	}
	var programs []Program
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		program, err := parseProgram(path, string(source))
		if err != nil {
			tb.Fatal(err)
		}
		programs = append(programs, program)
	}
	return programs
}

// Command compiles the program and returns the command that runs it. It skips the test if the JDK is too old.
func (p Program) Command(tb testing.TB, jdk JDK) Command {
	tb.Helper()
	if jdk.Feature < p.MinJDK {
		tb.Skipf("%s needs JDK %d", p.Name, p.MinJDK)
	}
	var options []string
	if p.Release != 0 {
		options = []string{"--release", strconv.Itoa(p.Release)}
	}
	// All programs of one release are compiled together, but one whose release the test has chosen.
	var sources []string
	for _, other := range Programs(tb) {
		if other.Release == p.Release && other.MinJDK <= jdk.Feature {
			sources = append(sources, other.Path)
		}
	}
	if !slices.Contains(sources, p.Path) {
		sources = []string{p.Path}
	}
	classes := filepath.Join(jdk.MustJavacEach(tb, options, sources...), p.Name)
	return Command{Classpath: []string{classes}, Main: p.Name, Stdin: p.Stdin}
}

// Killed tells whether the program ends by a signal, which leaves the JVM no time for last words.
func (p Program) Killed() bool { return p.Exit > 128 }

// Declares tells whether a class, given as Java writes it, is the program's main class or nested in it, or an array of
// these. Hidden classes, such as those of lambdas, are the JVM's.
func (p Program) Declares(class string) bool {
	class = strings.TrimRight(class, "[]")
	return (class == p.Name || strings.HasPrefix(class, p.Name+"$")) && !strings.Contains(class, "/")
}

// ObjectsByClass sums the annotations, those of unseen objects included or not.
func (p Program) ObjectsByClass(unseen bool) map[string]int64 {
	sums := map[string]int64{}
	for _, expected := range p.Expected {
		if unseen || !expected.Unseen {
			sums[expected.Class] += expected.Objects
		}
	}
	return sums
}

var (
	annotation = regexp.MustCompile(`// (alloc|unseen): (.*)$`)
	allocation = regexp.MustCompile(`^([\w.$]+(?:\[\])*) x(\d+)$`)
)

func parseProgram(path, source string) (Program, error) {
	program := Program{Name: strings.TrimSuffix(filepath.Base(path), ".java"), Path: path}
	lines := strings.Split(source, "\n")
	if err := program.parseHeader(lines[0]); err != nil {
		return Program{}, fmt.Errorf("jvmtest: %s:1: %w", path, err)
	}
	for i, line := range lines {
		found := annotation.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		for term := range strings.SplitSeq(found[2], ",") {
			match := allocation.FindStringSubmatch(strings.TrimSpace(term))
			if match == nil {
				return Program{}, fmt.Errorf("jvmtest: %s:%d: want CLASS xN: %q", path, i+1, term)
			}
			objects, err := strconv.ParseInt(match[2], 10, 64)
			if err != nil {
				return Program{}, fmt.Errorf("jvmtest: %s:%d: %w", path, i+1, err)
			}
			program.Expected = append(program.Expected, Expectation{
				Unseen: found[1] == "unseen", Line: i + 1, Class: match[1], Objects: objects,
			})
		}
	}
	return program, nil
}

// parseHeader reads `// name: value, name: value`.
func (p *Program) parseHeader(line string) error {
	header, ok := strings.CutPrefix(line, "// ")
	if !ok {
		return fmt.Errorf("the first line is not a header: %q", line)
	}
	for property := range strings.SplitSeq(header, ", ") {
		name, value, _ := strings.Cut(property, ": ")
		var err error
		switch name {
		case "threads":
			p.MultiThreaded, err = oneOf(value, "single", "multi")
		case "crosses":
			p.Crosses, err = oneOf(value, "no", "yes")
		case "deterministic":
			p.Deterministic, err = oneOf(value, "no", "yes")
		case "min-jdk":
			p.MinJDK, err = strconv.Atoi(value)
		case "release":
			p.Release, err = strconv.Atoi(value)
		case "exit":
			p.Exit, err = strconv.Atoi(value)
		case "stdin":
			p.Stdin = value + "\n"
		case "jvm":
			p.OwnJVM, err = oneOf(value, "shared", "own")
		default:
			err = fmt.Errorf("unknown property %q", name)
		}
		if err != nil {
			return err
		}
	}
	if p.MinJDK == 0 {
		return fmt.Errorf("no min-jdk in %q", line)
	}
	return nil
}

// oneOf tells which of two words a value is: the second is true.
func oneOf(value, no, yes string) (bool, error) {
	switch value {
	case no:
		return false, nil
	case yes:
		return true, nil
	}
	return false, fmt.Errorf("want %s or %s: %q", no, yes, value)
}
