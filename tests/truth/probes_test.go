package truth_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/profile/stacktest"
)

// probe is what a program of tests/testdata/compiled has done in one thread: rounds of the same, again and again.
type probe struct {
	name   string
	rounds int64
	bytes  int64               // that the JVM says the thread has allocated meanwhile
	makes  map[string][2]int64 // objects in all, at least and at most, by class
	may    map[string]bool     // classes of objects that compilers may remove
	misses [2]int64            // bytes that are known not to be counted, at least and at most
}

// lambdaNumber is what the names of JDK 17 have that others have not.
var lambdaNumber = regexp.MustCompile(`\$\$Lambda\$[0-9]+$`)

// own is what a thread of a probe may allocate besides its rounds, in bytes.
const own = 4096

// runProbes runs a program of probes under mallard.
func runProbes(t *testing.T, jdk jvmtest.JDK, program string, javac, java []string,
	flags ...string) ([]probe, *profile.Profile) {
	t.Helper()
	command := jvmtest.Command{Classpath: []string{probeClasses(t, jdk, javac)}, Main: program, Options: java}
	output, p := mallardtest.Record(t, jdk, command, flags...)
	if output.ExitCode != 0 || !p.Complete {
		t.Fatalf("exit code %d, complete %v\n%s%s", output.ExitCode, p.Complete, output.Stdout, output.Stderr)
	}
	var probes []probe
	for line := range strings.Lines(output.Stdout) {
		probes = append(probes, parseProbe(t, strings.TrimSuffix(line, "\n")))
	}
	return probes, p
}

// probeClasses compiles the programs of probes.
func probeClasses(t *testing.T, jdk jvmtest.JDK, javac []string) (folder string) {
	t.Helper()
	sources, err := filepath.Glob(mallardtest.Source(t, "compiled", "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	return jdk.MustJavac(t, javac, sources...)
}

// parseProbe reads "NAME ROUNDS BYTES CLASS N, CLASS N..M ...".
func parseProbe(t *testing.T, line string) probe {
	t.Helper()
	var p probe
	if _, err := fmt.Sscan(line, &p.name, &p.rounds, &p.bytes); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	p.makes, p.may = map[string][2]int64{}, map[string]bool{}
	for part := range strings.SplitSeq(strings.SplitN(line, " ", 4)[3], ",") {
		class, number, _ := strings.Cut(strings.TrimSpace(part), " ")
		number, p.may[class] = strings.CutSuffix(number, "?")
		low, high, ranged := strings.Cut(number, "..")
		if !ranged {
			high = low
		}
		if p.may[class] {
			low = "0"
		}
		least, err := strconv.ParseInt(low, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		most, err := strconv.ParseInt(high, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		p.makes[class] = [2]int64{least * p.rounds, most * p.rounds}
	}
	p.misses = p.makes["(uncounted)"]
	delete(p.makes, "(uncounted)")
	return p
}

// compare holds what was counted in a probe's thread against what it makes by construction, and against the bytes that
// the JVM says it has allocated: not fewer may be counted, unless that is known, and with all (where nothing is removed
// by escape analysis) not more.
func (p *probe) compare(t *testing.T, recorded *profile.Profile, all bool) {
	t.Helper()
	counted, removable := int64(0), int64(0)
	seen := map[string]int64{}
	for _, row := range recorded.Rows(profile.Query{By: profile.ByClass,
		Filter: profile.Filter{Thread: "probe " + p.name}}).Rows {
		counted += row.Amount.Bytes
		class := lambdaNumber.ReplaceAllString(row.Class, "$$$$Lambda")
		seen[class] += row.Amount.Objects
		if p.may[row.Class] {
			removable += row.Amount.Bytes
		}
	}
	const few = 20 // of the thread itself
	for class, n := range seen {
		if makes := p.makes[class]; n > makes[1]+few {
			t.Errorf("%s: %d objects of %s, want at most %d", p.name, n, class, makes[1])
		}
	}
	for class, makes := range p.makes {
		if n := seen[class]; n < makes[0] {
			t.Errorf("%s: %d objects of %s, want at least %d", p.name, n, class, makes[0])
		}
	}
	if counted < p.bytes-p.misses[1]-own {
		t.Errorf("%s: %d bytes counted, the JVM has allocated %d", p.name, counted, p.bytes)
	}
	if all && counted-removable > p.bytes-p.misses[0]+own {
		t.Errorf("%s: %d bytes counted, the JVM has allocated no more than %d", p.name, counted-removable,
			p.bytes-p.misses[0])
	}
}

// probeRuns are the ways in which probes run. Without escape analysis what is counted is made.
var probeRuns = []struct {
	name        string
	java, flags []string
	all         bool
}{
	{"optimal", []string{"-XX:-DoEscapeAnalysis"}, nil, true},
	{"escape", nil, nil, false},
	{"ducktracks", []string{"-XX:-DoEscapeAnalysis"}, []string{"--placement", "ducktracks"}, true},
	{"site", []string{"-XX:-DoEscapeAnalysis"}, []string{"--placement", "site"}, true},
	{"C1", []string{"-XX:TieredStopAtLevel=1"}, nil, true},
}

// contextRuns are the ways in which classes of what calls make are kept with contexts.
var contextRuns = []struct {
	name        string
	java, flags []string
}{
	{"hashed", nil, nil},
	{"tree", nil, []string{"--contexts", "tree"}},
	{"encoded", nil, []string{"--contexts", "encoded"}},
	{"interpreted", []string{"-Xint"}, nil},
}

// TestClassesInContexts: calls whose code does not tell of what class the objects are, with contexts. All that is made
// has a context.
func TestClassesInContexts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range contextRuns {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(run.name, func(t *testing.T) {
				rounds := "-Drounds=20000"
				if run.name == "interpreted" {
					rounds = "-Drounds=1000"
				}
				probes, p := runProbes(t, jdk, "Classes", nil,
					append([]string{rounds, "-XX:-DoEscapeAnalysis"}, run.java...),
					append([]string{"--track", "contexts"}, run.flags...)...)
				stacktest.CheckCallers(t, p)
				for _, probe := range probes {
					probe.compare(t, p, true)
				}
			})
		}
	})
}

// reflectedRuns are the ways in which what method handles and reflection call is counted.
var reflectedRuns = []struct {
	name        string
	java, flags []string
}{
	{"C2", []string{"-Drounds=20000", "-XX:-DoEscapeAnalysis"}, nil},
	{"interpreted", []string{"-Drounds=1000", "-Xint"}, nil},
	{"C1", []string{"-Drounds=10000", "-XX:TieredStopAtLevel=1"}, nil},
	{"native", []string{"-Drounds=1000", "-Djdk.reflect.useNativeAccessorOnly=true",
		"-Dsun.reflect.inflationThreshold=2000000000"}, nil},
	{"hashed", []string{"-Drounds=10000", "-XX:-DoEscapeAnalysis"}, []string{"--track", "contexts"}},
	{"tree", []string{"-Drounds=10000", "-XX:-DoEscapeAnalysis"},
		[]string{"--track", "contexts", "--contexts", "tree"}},
	{"encoded", []string{"-Drounds=10000", "-XX:-DoEscapeAnalysis"},
		[]string{"--track", "contexts", "--contexts", "encoded"}},
}

// TestReflected: methods that make objects for their caller, called by method handles and by reflection. Without
// contexts they are counted where these are called.
func TestReflected(t *testing.T) { testReflected(t, "Reflected") }

// testReflected compares what a program's probes make, and without contexts where, but for those that count by
// themselves.
func testReflected(t *testing.T, program string, ownCounts ...string) {
	t.Helper()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range reflectedRuns {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(run.name, func(t *testing.T) {
				probes, p := runProbes(t, jdk, program, nil, run.java, run.flags...)
				for _, probe := range probes {
					probe.compare(t, p, true)
					if run.flags == nil && !slices.Contains(ownCounts, probe.name) {
						probe.compareOwners(t, p, program)
					}
				}
			})
		}
	})
}

// compareOwners has all that the probe's rounds make at lines of the probe, unless it is made by a bytecode of the JDK.
func (p *probe) compareOwners(t *testing.T, recorded *profile.Profile, program string) {
	t.Helper()
	const few = 20
	for _, row := range recorded.Rows(profile.Query{By: profile.BySite,
		Filter: profile.Filter{Thread: "probe " + p.name}}).Rows {
		method := row.Site.Class + "." + row.Site.Method
		bytecode := slices.Contains([]string{"java.lang.Integer.valueOf", "java.lang.Long.valueOf",
			"jdk.internal.reflect.UnsafeIntegerFieldAccessorImpl.get", "java.util.Arrays.copyOf",
			"jdk.internal.reflect.UnsafeLongFieldAccessorImpl.get"}, method)
		if p.makes[row.Class][0] > 0 && row.Amount.Objects > few && !bytecode &&
			!strings.HasPrefix(row.Site.Class, program+"$") {
			t.Errorf("%s: %d objects of %s at %s", p.name, row.Amount.Objects, row.Class, method)
		}
	}
}

// TestChains: strings that are put together by builders, which C2 replaces as a whole.
func TestChains(t *testing.T) { testProbes(t, "Chains", 0) }

// TestIntrinsics: calls that compilers replace or remove.
func TestIntrinsics(t *testing.T) { testProbes(t, "Intrinsics", 1) }

// testProbes runs a program of probes, the nth. In the short version each run is on each JDK, with either program.
func testProbes(t *testing.T, program string, n int) {
	rounds := "-Drounds=80000"
	if os.Getenv("MALLARD_LONG") != "" {
		rounds = "-Drounds=2000000"
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range probeRuns {
			if !jvmtest.IsTurn(t, jdk, n+i) {
				continue
			}
			t.Run(run.name, func(t *testing.T) {
				probes, p := runProbes(t, jdk, program, []string{"-XDstringConcat=inline"},
					append([]string{rounds}, run.java...), run.flags...)
				for _, probe := range probes {
					probe.compare(t, p, run.all)
				}
			})
		}
	})
}
