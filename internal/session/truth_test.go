package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// mallard gives the binary that the Makefile built, and fails the test without it.
func mallard(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(jvmtest.MustRoot(t), "bin", "mallard")
	if _, err := os.Stat(binary); err != nil {
		t.Fatalf("%v; run make build first", err)
	}
	return binary
}

// record runs a command under mallard and folds what was recorded.
func record(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, flags ...string) (jvmtest.Output, *profile.Profile) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mallard")
	command.Wrap = slices.Concat([]string{mallard(t), "run", "-q", "-o", file}, flags, []string{"--"})
	output := jdk.MustRun(t, command)
	p, err := profile.Read(file)
	if err != nil {
		t.Fatalf("%v; stderr:\n%s", err, output.Stderr)
	}
	return output, p
}

// variants are the ways to count that tests compare with the oracle. The last changes the placement of everything while the program runs.
var variants = [][]string{{"--placement", "site"}, {"--placement", "ducktracks"}, {"--placement", "optimal"}, {adaptSoon}}

const adaptSoon = "--adapt-soon"

// withoutLines leaves the source positions out of stack traces: the JVM knows none of a frame whose class was redefined while it was running, and --adapt-soon does that.
func withoutLines(trace string) string {
	return regexp.MustCompile(`(\tat .*)\(.*\)`).ReplaceAllString(trace, "$1")
}

// eachProgram runs a test with each test program on each JDK, and with what it prints without mallard.
func eachProgram(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, command jvmtest.Command, plain jvmtest.Output)) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			t.Run(program.Name, func(t *testing.T) {
				t.Parallel()
				command := program.Command(t, jdk)
				test(t, jdk, program, command, jdk.MustRun(t, command))
			})
		}
	})
}

// recordAsPlain is a subtest that runs a program under mallard: it has to do what it does without.
func recordAsPlain(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, plain jvmtest.Output, flags []string, check func(t *testing.T, p *profile.Profile)) {
	t.Run(fmt.Sprint(flags, command.Options), func(t *testing.T) {
		output, p := record(t, jdk, command, flags...)
		if slices.Contains(flags, adaptSoon) {
			output.Stderr, plain.Stderr = withoutLines(output.Stderr), withoutLines(plain.Stderr)
		}
		compareOutput(t, plain, output)
		check(t, p)
	})
}

// compareOutput holds what a program does while it is recorded against what it does without.
func compareOutput(t *testing.T, plain, output jvmtest.Output) {
	t.Helper()
	if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
		t.Errorf("the program exits with %d, not %d, and prints\n%s%s\nnot\n%s%s", output.ExitCode, plain.ExitCode,
			output.Stdout, output.Stderr, plain.Stdout, plain.Stderr)
	}
}

// TestCountsAreTrue runs every test program under every placement and compares with the oracle, site by site, to the object and to the byte.
// The oracle counts every allocation through JVMTI in another run, interpreted, and shares no code with Mallard.
func TestCountsAreTrue(t *testing.T) {
	eachProgram(t, func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, command jvmtest.Command, plain jvmtest.Output) {
		var truth jvmtest.OracleResult
		var want map[string]jvmtest.Counts
		if program.Deterministic && !program.Killed() {
			truth = jvmtest.RunOracle(t, jdk, command)
			want = oracleSites(program, truth)
		}
		for _, flags := range variants {
			for _, options := range [][]string{{"-Xint"}, nil} {
				command.Options = options
				recordAsPlain(t, jdk, command, plain, flags, func(t *testing.T, p *profile.Profile) {
					if p.Complete == program.Killed() {
						t.Errorf("complete: %v (%s)", p.Complete, p.Reason)
					}
					if want == nil {
						return
					}
					if diff := cmp.Diff(want, mallardSites(program, p, truth)); diff != "" {
						t.Errorf("sites (-oracle +mallard):\n%s", diff)
					}
					if diff := cmp.Diff(oracleThrown(program, truth), mallardThrown(program, p, truth)); diff != "" {
						t.Errorf("exceptions of the JVM's (-oracle +mallard):\n%s", diff)
					}
				})
			}
		}
	})
}

// oracleSites has what the oracle saw at the allocation bytecodes of the program's own classes, and at their calls of methods that are there to make
// something.
func oracleSites(program jvmtest.Program, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	sites := map[string]jvmtest.Counts{}
	for site, counts := range truth.Sites {
		site.Declaring = shown(site.Declaring)
		if program.Declares(site.Declaring) && site.Allocates() {
			allocated := site.Class
			if site.Called != "" {
				allocated = called
			}
			add(sites, site.Declaring, site.Method+site.Descriptor, site.BCI, site.Line, allocated, counts)
		}
	}
	return sites
}

// shown gives a class that a program hides the name of its class file. Those that the JDK hides for it have none of the program's.
func shown(class string) string {
	if !strings.Contains(class, "$$Lambda") {
		class, _, _ = strings.Cut(class, "/")
	}
	return class
}

// bytecode is a place in a method.
type bytecode struct {
	class, method string
	bci           int
}

// called stands for the types of what calls make: the code may know less of them than the oracle.
const called = "by a call"

// mallardSites has the same of a recording.
func mallardSites(program jvmtest.Program, p *profile.Profile, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	calls := map[bytecode]bool{}
	for site := range truth.Sites {
		if site.Called != "" && site.Allocates() && !strings.Contains(site.Declaring, "/") {
			calls[bytecode{site.Declaring, site.Method + site.Descriptor, site.BCI}] = true
		}
	}
	elsewhere, thrown := references(program, truth), isThrown(program, truth)
	sites := map[string]jvmtest.Counts{}
	for _, site := range p.Sites {
		if program.Declares(site.Class) && !strings.Contains(site.Class, "$$Lambda") && site.Amount.Objects != 0 && !isAny(elsewhere, site) && !thrown(site) {
			method, bci, allocated := site.Method+site.Descriptor, int(site.BCI), site.Type
			if calls[bytecode{site.Class, method, bci}] {
				allocated = called
			}
			add(sites, site.Class, method, bci, int(site.Line), allocated, counted(site.Amount))
		}
	}
	return sites
}

// references lists what the source says of each `Foo::new`: the oracle knows the hidden class that makes the objects, and not where that was asked for.
func references(program jvmtest.Program, truth jvmtest.OracleResult) []jvmtest.Expectation {
	type made struct {
		line  int
		class string
	}
	known := map[made]bool{}
	for site := range truth.Sites {
		if program.Declares(shown(site.Declaring)) && site.Allocates() {
			known[made{site.Line, site.Class}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(program.Expected), func(e jvmtest.Expectation) bool { return !e.Unseen || known[made{e.Line, e.Class}] })
}

func isAny(references []jvmtest.Expectation, site profile.Site) bool {
	return slices.ContainsFunc(references, func(e jvmtest.Expectation) bool { return e.Line == int(site.Line) && e.Class == site.Type })
}

func counted(a profile.Amount) jvmtest.Counts {
	return jvmtest.Counts{Objects: a.Objects, Bytes: a.Bytes, Elements: a.Elements}
}

// larger are classes whose objects are larger under Mallard, by the fields that it adds to Thread.
var larger = []string{"java.lang.Thread", "ManyThreads$Task"}

// add sums by name: a class may have been loaded many times. Bytes of larger ones are left out.
func add(sites map[string]jvmtest.Counts, class, method string, bci, line int, allocated string, counts jvmtest.Counts) {
	key := fmt.Sprintf("%s.%s:%d (line %d) %s", class, method, bci, line, allocated)
	sum := sites[key]
	sum.Objects += counts.Objects
	sum.Elements += counts.Elements
	if !slices.Contains(larger, allocated) {
		sum.Bytes += counts.Bytes
	}
	sites[key] = sum
}
