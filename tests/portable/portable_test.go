package portable_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
	"mallard/internal/portable"
	"mallard/internal/profile"
)

// recordAgentless has a group's programs record themselves, verified in full: each has to do what it does without, and
// makes what its annotations say. There is no recording of a program that is killed, and no profile.
func recordAgentless(t *testing.T, g *mallardtest.Group, o portable.Options) *profile.Profile {
	t.Helper()
	command, file := mallardtest.Agentless(t, g.Command, o)
	command.Options = append(command.Options, "-XX:+IgnoreUnrecognizedVMOptions", "-Xverify:all", "-XX:-PrintWarnings")
	g.CompareOutputs(t, g.JDK.MustRun(t, command), strings.Clone)
	if g.Programs[0].Killed() {
		if _, err := os.Stat(file); err == nil {
			t.Error("there is a recording of a program that was killed")
		}
		return nil
	}
	p := mallardtest.Read(t, file)
	if !p.Complete {
		t.Errorf("incomplete: %s", p.Reason)
	}
	for _, program := range g.Programs {
		if program.Deterministic {
			checkAnnotations(t, program, p)
		}
	}
	return p
}

// TestPortableCountsAreTrue has every test program record itself and compares with its annotations, and with the
// oracle, as TestCountsAreTrue does. Apart, in the short version, programs only record contexts:
// TestPortableContextsAreTrue.
func TestPortableCountsAreTrue(t *testing.T) {
	mallardtest.EachGroup(t, mallardtest.Turn{Tests: 1}, nil, func(t *testing.T, g *mallardtest.Group, _ [][]int) {
		if g.Apart && !jvmtest.Long() {
			return
		}
		truth, p := g.Oracle(t), recordAgentless(t, g, portable.Options{Placement: placement.Site})
		if truth == nil || p == nil {
			return
		}
		for _, program := range g.Programs {
			checkPortable(t, program, p, *truth)
		}
	})
}

// checkAnnotations compares with what the program's source says of its lines.
func checkAnnotations(t *testing.T, program jvmtest.Program, p *profile.Profile) {
	t.Helper()
	type made struct {
		line  int
		class string
	}
	want, have := map[made]int64{}, map[made]int64{}
	unseen := map[string]bool{} // classes of which calls make some, where the source may not show them
	for _, e := range program.Expected {
		if e.Unseen {
			unseen[e.Class] = true
		} else {
			want[made{e.Line, e.Class}] += e.Objects
		}
	}
	for _, site := range p.Sites {
		at := made{int(site.Line), site.Type}
		if _, annotated := want[at]; annotated && program.Declares(site.Class) {
			have[at] += site.Amount.Objects
		}
	}
	for at, n := range want {
		if have[at] != n && !(unseen[at.class] && have[at] > n) {
			t.Errorf("line %d made %d of %s, not %d", at.line, have[at], at.class, n)
		}
	}
}

// checkPortable compares all sites with the oracle's.
func checkPortable(t *testing.T, program jvmtest.Program, p *profile.Profile, truth jvmtest.OracleResult) {
	t.Helper()
	want, have := mallardtest.OracleSites(program, truth), mallardtest.RecordedSites(program, p, truth)
	for _, sites := range []map[string]jvmtest.Counts{want, have} {
		maps.DeleteFunc(sites, func(site string, _ jvmtest.Counts) bool { return isEstimate(site) })
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("sites (-oracle +mallard):\n%s", diff)
	}
}

// hiddenFields are classes that extend ClassLoader, which has fields that reflection hides.
var hiddenFields = []string{"UnloadedClasses$OwnLoader", "Loading$Own"}

// isEstimate reports whether a portable program cannot count a site of the test programs: a string is made of two, one
// of which is empty, and shares the other's array; a record's toString makes strings on the way, or none; or a class
// has fields that reflection hides.
func isEstimate(site string) bool {
	return strings.HasPrefix(site, "Calls.strings(") && (strings.Contains(site, ":21 (line 122) by a call") ||
		strings.Contains(site, ":88 (line 123) by a call")) ||
		strings.HasPrefix(site, "Records$Many.toString") || strings.HasPrefix(site, "Records$Empty.toString") ||
		slices.ContainsFunc(hiddenFields, func(class string) bool { return strings.HasSuffix(site, " "+class) })
}

// TestPortableSizes: sizes are those of the JVM, however it lays objects out. What "mallard run" records is the truth
// here.
func TestPortableSizes(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			k := slices.Index([]string{"ArrayKinds", "Constructors"}, program.Name)
			if k < 0 {
				continue
			}
			command := program.Command(t, jdk)
			for i, flag := range []string{"-XX:-UseCompressedOops", "-XX:ObjectAlignmentInBytes=16", "-XX:+UseZGC",
				"-XX:+UseCompactObjectHeaders", "-XX:-UseCompressedClassPointers"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue // each JDK has each flag, with one of the programs
				}
				t.Run(program.Name+flag, func(t *testing.T) {
					command.Options = []string{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockExperimentalVMOptions",
						flag}
					_, want := mallardtest.Record(t, jdk, command)
					command, file := mallardtest.Agentless(t, command, portable.Options{Placement: placement.Site})
					jdk.MustRun(t, command)
					have := mallardtest.Read(t, file)
					if diff := cmp.Diff(mallardtest.RecordedSites(program, want, jvmtest.OracleResult{}),
						mallardtest.RecordedSites(program, have, jvmtest.OracleResult{})); diff != "" {
						t.Errorf("sites (-run +portable):\n%s", diff)
					}
				})
			}
		}
	})
}
