package portable_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
	"mallard/internal/portable"
	"mallard/internal/profile"
)

// recordAlone has a program record itself, verified in full: it has to do what it does without. There is no recording
// of a program that is killed, and no profile.
func recordAlone(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, command jvmtest.Command, plain jvmtest.Output,
	o portable.Options) *profile.Profile {
	t.Helper()
	command.Options = []string{"-XX:+IgnoreUnrecognizedVMOptions", "-Xverify:all", "-XX:-PrintWarnings"}
	command, file := mallardtest.Agentless(t, command, o)
	mallardtest.CompareOutput(t, plain, jdk.MustRun(t, command))
	if program.Killed() {
		if _, err := os.Stat(file); err == nil {
			t.Error("there is a recording of a program that was killed")
		}
		return nil
	}
	p := mallardtest.Read(t, file)
	if !p.Complete {
		t.Errorf("incomplete: %s", p.Reason)
	}
	return p
}

// TestPortableCountsAreTrue has every test program record itself and compares with its annotations; the long version
// also with the oracle, as TestCountsAreTrue does.
func TestPortableCountsAreTrue(t *testing.T) {
	mallardtest.EachProgram(t, func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, command jvmtest.Command,
		plain jvmtest.Output) {
		p := recordAlone(t, jdk, program, command, plain, portable.Options{Placement: placement.Site})
		if p == nil || !program.Deterministic {
			return
		}
		checkAnnotations(t, program, p)
		if jvmtest.Long() {
			checkPortable(t, program, p, jvmtest.RunOracle(t, jdk, command))
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

// isEstimate reports whether a portable program cannot count a site of the test programs: a string is made of two, one
// of which is empty, and shares the other's array; a record's toString makes strings on the way, or none; or a class
// has fields that reflection hides.
func isEstimate(site string) bool {
	return strings.HasPrefix(site, "Calls.strings(") && (strings.Contains(site, ":21 (line 122) by a call") ||
		strings.Contains(site, ":88 (line 123) by a call")) ||
		strings.HasPrefix(site, "Records$Many.toString") || strings.HasPrefix(site, "Records$Empty.toString") ||
		strings.HasSuffix(site, " UnloadedClasses$OwnLoader")
}

// TestPortableSizes: sizes are those of the JVM, however it lays objects out. What "mallard run" records is the truth
// here.
func TestPortableSizes(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			if program.Name != "ArrayKinds" && program.Name != "Constructors" {
				continue
			}
			command := program.Command(t, jdk)
			for _, flag := range []string{"-XX:-UseCompressedOops", "-XX:ObjectAlignmentInBytes=16", "-XX:+UseZGC",
				"-XX:+UseCompactObjectHeaders", "-XX:-UseCompressedClassPointers"} {
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
