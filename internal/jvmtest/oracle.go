package jvmtest

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Counts is what the oracle saw of one class or site.
type Counts struct {
	Objects  int64
	Bytes    int64 // alignment included
	Elements int64 // of arrays: the sum of their lengths; of sites only
}

func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Objects + d.Objects, c.Bytes + d.Bytes, c.Elements + d.Elements}
}

// Site is a bytecode at which the oracle saw an object of a class being made.
type Site struct {
	Class       string // of the object, as Java writes it
	Declaring   string // class that has the method, by its binary name: Outer$Inner
	Method      string
	Descriptor  string
	BCI         int
	Line        int    // -1 unknown
	Instruction string // new, anewarray, multianewarray, newarray int (and so on), invokedynamic, raising, or other
	Called      string // "", or the JDK's method, Class.name, that the bytecode called, ...
	Maker       string // ... and the one that made the object in the end
}

// Allocates tells whether the object is what the bytecode made, or the method that it called, not something the JVM
// allocated on the way: the first execution of `new Foo` may also call a class loader, for which the JVM makes strings
// and mirrors.
func (s Site) Allocates() bool {
	if s.Called != "" {
		return s.made()
	}
	array := strings.HasSuffix(s.Class, "[]")
	if element, ok := strings.CutPrefix(s.Instruction, "newarray "); ok {
		return s.Class == element+"[]"
	}
	switch s.Instruction {
	case "new":
		return !array && s.Class != "java.lang.String" && s.Class != "java.lang.Class"
	case "anewarray":
		return array && !isPrimitive(strings.TrimSuffix(s.Class, "[]"))
	case "multianewarray":
		return array && s.Class != "byte[]"
	}
	return false
}

// Thrown tells whether the object is an exception that the JVM made because of the bytecode, or its message. Messages
// are told from other strings only at bytecodes that load no classes.
func (s Site) Thrown() bool {
	if s.Called != "" && s.Called != "java.lang.System.arraycopy" || s.Called == "" && s.Instruction == "new" {
		return false
	}
	switch s.Class {
	case "java.lang.NullPointerException", "java.lang.ArrayIndexOutOfBoundsException", "java.lang.ClassCastException",
		"java.lang.NegativeArraySizeException",
		"java.lang.ArrayStoreException", "java.lang.ArithmeticException", "java.lang.IllegalMonitorStateException",
		"java.lang.NoClassDefFoundError",
		"java.lang.ExceptionInInitializerError", "java.lang.AbstractMethodError",
		"java.lang.IncompatibleClassChangeError":
		return true
	case "java.lang.String", "byte[]":
		return s.Instruction == "raising" && s.Called == ""
	}
	return false
}

// made tells whether the object is what the JDK's method is there to make, and no more. What else it makes on the way
// it makes with bytecodes of its own.
func (s Site) made() bool {
	switch s.Called {
	case "java.lang.Object.clone":
		return true
	case "java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange":
		return strings.HasSuffix(s.Class, "[]") && (s.Maker == s.Called && s.Class == "java.lang.Object[]" ||
			s.Maker == "java.lang.reflect.Array.newArray")
	case "java.lang.reflect.Array.newInstance":
		return strings.HasSuffix(s.Class, "[]") && strings.HasPrefix(s.Maker, "java.lang.reflect.Array.")
	case "java.lang.Class.newInstance", "java.lang.reflect.Constructor.newInstance", "sun.misc.Unsafe.allocateInstance":
		// The JDK makes classes to call constructors with, and instances of those.
		return !strings.HasSuffix(s.Class, "[]") && !strings.HasPrefix(s.Class, "jdk.internal.reflect.") &&
			(strings.HasSuffix(s.Maker, ".newInstance0") || s.Maker == "jdk.internal.misc.Unsafe.allocateInstance" ||
				strings.HasPrefix(s.Maker, "jdk.internal.reflect.Generated"))
	}
	if s.Instruction != "invokedynamic" || !strings.HasPrefix(s.Called, "java.lang.invoke.") &&
		!concatenates(s.Called) || strings.HasPrefix(s.Called, "java.lang.invoke.MethodHandleNatives.") {
		return false // or linkage
	}
	switch s.Class {
	case "byte[]":
		return s.Maker == "jdk.internal.misc.Unsafe.allocateUninitializedArray0"
	case "java.lang.String":
		return concatenates(s.Maker)
	}
	return strings.Contains(s.Class, "$$Lambda") && s.Maker == "jdk.internal.misc.Unsafe.allocateInstance"
}

func concatenates(method string) bool {
	return strings.HasPrefix(method, "java.lang.StringConcatHelper") ||
		strings.HasPrefix(method, "java.lang.String$$StringConcat")
}

// OracleResult is a program's allocations from before main runs to the JVM's end.
type OracleResult struct {
	Output  Output
	Classes map[string]Counts // by class as Java writes it: java.lang.String, Outer$Inner, int[][]
	// by place; objects made with no Java frame on the stack have none, and those with Called stand at their innermost
	// frame as well
	Sites  map[Site]Counts
	Stacks Stacks // of what the program's own code makes
}

// RunOracle runs the command interpreted (-Xint, where each allocation happens at its bytecode) with the oracle agent,
// or gives the result of an earlier run, as RunPlain does. A run that leaves no table, because the JVM was killed or
// crashed, fails the test.
func RunOracle(tb testing.TB, jdk JDK, c Command) OracleResult {
	tb.Helper()
	agent := newOracle(tb, jdk, "classes", "sites", "stacks")
	agent.options = []string{"-Xint"}
	output, folder := runKept(tb, jdk, "oracle", c, agent)
	result := OracleResult{Output: output, Classes: map[string]Counts{}, Sites: map[Site]Counts{}}
	classes, sites := filepath.Join(folder, "classes"), filepath.Join(folder, "sites")
	stacks := filepath.Join(folder, "stacks")

	err := readTable(classes, func(field []string) error {
		if len(field) != 3 {
			return errColumns
		}
		counts, err := parseCounts(field[1:])
		// Two loaders may have a class of one name.
		result.Classes[JavaType(field[0])] = result.Classes[JavaType(field[0])].Plus(counts)
		return err
	})
	if err == nil {
		err = readTable(sites, func(field []string) error {
			if len(field) != 12 {
				return errColumns
			}
			site := Site{Class: JavaType(field[0]), Declaring: field[1], Method: field[2], Descriptor: field[3],
				Instruction: field[6], Called: field[7], Maker: field[8]}
			counts, err := parseCounts(field[9:])
			if err != nil {
				return err
			}
			if site.BCI, err = strconv.Atoi(field[4]); err != nil {
				return err
			}
			if site.Line, err = strconv.Atoi(field[5]); err != nil {
				return err
			}
			result.Sites[site] = result.Sites[site].Plus(counts)
			return nil
		})
	}
	if err == nil {
		err = result.Stacks.read(stacks)
	}
	if err != nil {
		tb.Fatalf("%v; the program's exit code is %d and its stderr\n%s", err, result.Output.ExitCode,
			result.Output.Stderr)
	}
	return result
}

// An oracleAgent writes tables.
type oracleAgent struct {
	library string
	options []string // of the JVM
	format  string   // of its arguments, with FOLDER for that of its tables
	tables  []string // files that it writes
}

// wrote returns an error if a table is missing, as when the JVM was killed or has crashed.
func (a *oracleAgent) wrote(folder string) error {
	for _, table := range a.tables {
		if _, err := os.Stat(filepath.Join(folder, table)); err != nil {
			return fmt.Errorf("jvmtest: the oracle wrote no table: %w", err)
		}
	}
	return nil
}

// option makes the JVM load the agent.
func (a *oracleAgent) option(folder string) string {
	return "-agentpath:" + a.library + "=" + strings.ReplaceAll(a.format, "FOLDER", folder)
}

// newOracle compiles the oracle, which is to write tables, each into a file of its name.
func newOracle(tb testing.TB, jdk JDK, tables ...string) *oracleAgent {
	tb.Helper()
	var sources []string
	for _, name := range []string{"oracle.h", "oracle.c", "names.c", "sites.c", "stacks.c"} {
		sources = append(sources, filepath.Join(MustRoot(tb), "testdata", "oracle", name))
	}
	library, err := jdk.Agent(sources...)
	if err != nil {
		tb.Fatal(err)
	}
	var arguments []string
	for _, table := range tables {
		arguments = append(arguments, table+"=FOLDER/"+table)
	}
	return &oracleAgent{library: library, format: strings.Join(arguments, ","), tables: tables}
}

// errColumns says that a line of a table has too few columns, or too many.
var errColumns = errors.New("not as many columns as there should be")

// readTable calls row for each line of a table of the oracle.
func readTable(path string, row func(field []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("jvmtest: the oracle wrote no table: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := row(strings.Split(lines.Text(), "\t")); err != nil {
			return fmt.Errorf("jvmtest: %s: %q: %w", path, lines.Text(), err)
		}
	}
	return lines.Err()
}

func parseCounts(field []string) (c Counts, err error) {
	for i, to := range []*int64{&c.Objects, &c.Bytes, &c.Elements}[:len(field)] {
		if *to, err = strconv.ParseInt(field[i], 10, 64); err != nil {
			return Counts{}, err
		}
	}
	return c, nil
}

var primitives = map[string]string{"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long",
	"F": "float", "D": "double"}

func isPrimitive(name string) bool {
	return slices.Contains(slices.Collect(maps.Values(primitives)), name)
}

// JavaType turns what Class.getName prints into what Java writes: [[I is int[][], [Ljava.lang.String; is
// java.lang.String[]. Names of classes stay as they are.
func JavaType(name string) string {
	element := strings.TrimLeft(name, "[")
	dimensions := len(name) - len(element)
	if dimensions == 0 {
		return name
	}
	if primitive, ok := primitives[element]; ok {
		element = primitive
	} else {
		element = strings.TrimSuffix(strings.TrimPrefix(element, "L"), ";")
	}
	return element + strings.Repeat("[]", dimensions)
}
