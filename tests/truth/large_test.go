package truth_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
	"mallard/internal/profile"
)

// TestLongMethod has methods near the limit of 65,535 bytes of code (JVMS 4.7.3), with unused for counters and without:
// counts are exact, or the method is named.
func TestLongMethod(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, method := range []struct {
			name          string
			sites, others int // statements: of 29 bytes with two sites each, of 6 bytes
			named         bool
		}{
			{"43 KB of sites", 1500, 0, false},
			{"60 KB", 100, 9500, false},
			{"64 KB of sites", 2200, 0, true},
		} {
			t.Run(method.name, func(t *testing.T) {
				var source strings.Builder
				source.WriteString("class Long {\nstatic int work(int n) {\nint sum = 0;\n")
				for i := range method.sites {
					fmt.Fprintf(&source, "if ((n & %d) == %d) { sum += new int[3].length + new long[n & 7].length; }\n",
						1000+i, i&7)
				}
				for i := range method.others {
					fmt.Fprintf(&source, "sum ^= %d;\n", 100_000+i)
				}
				source.WriteString("return sum;\n}\npublic static void main(String[] args) {\nint sum = 0;\nfor (int " +
					"n = 0; n < 50; n++) { sum += work(n); }\nSystem.out.println(sum);\n}\n}\n")
				if named := exactOrNamed(t, jdk, "Long", source.String()); (named > 0) != method.named {
					t.Errorf("%d sites are in methods that are skipped", named)
				}
			})
		}
	})
}

// TestLargePool has classes whose constant pools end at, or a little before, the limit of 65,535 constants (JVMS 4.1).
func TestLargePool(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, unused := range []int{0, 30} {
			t.Run(fmt.Sprint("unused for ", unused), func(t *testing.T) {
				source := poolSource(0)
				class, err := os.ReadFile(filepath.Join(jdk.MustJavac(t, nil, mallardtest.Written(t, "Pool", source)),
					"Pool.class"))
				if err != nil {
					t.Fatal(err)
				}
				exactOrNamed(t, jdk, "Pool", poolSource(65_535-unused-int(binary.BigEndian.Uint16(class[8:]))))
			})
		}
	})
}

// poolSource gives a class with about 64,000 constants, and that many more.
func poolSource(more int) string {
	var source strings.Builder
	source.WriteString("class Pool {\n")
	constant := 100_000
	numbers := func(method string, n int) {
		fmt.Fprintf(&source, "static int %s(int n) {\nint sum = new int[n & 3].length;\nswitch (n & 1) {\ncase 0: "+
			"sum += new Object[2].length;\n", method)
		for range n {
			fmt.Fprintf(&source, "sum ^= %d;\n", constant)
			constant++
		}
		source.WriteString("}\nreturn sum;\n}\n")
	}
	for i := range 8 {
		numbers(fmt.Sprint("m", i), 8000)
	}
	numbers("rest", more)
	source.WriteString("public static void main(String[] args) {\nint sum = rest(1);\nfor (int n = 0; n < 9; n++) { " +
		"sum += m0(n) + m1(n) + m2(n) + m7(n); }\nSystem.out.println(sum);\n}\n}\n")
	return source.String()
}

// exactOrNamed runs a program of one class: it does what it does without Mallard, and all methods that are not named in
// the recording have the counts of the oracle. It gives the number of sites in the others.
func exactOrNamed(t *testing.T, jdk jvmtest.JDK, name, source string) (named int) {
	t.Helper()
	program := jvmtest.Program{Name: name}
	command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, mallardtest.Written(t, name, source))},
		Main: name}
	plain := jvmtest.RunPlain(t, jdk, command)
	truth := jvmtest.RunOracle(t, jdk, command)
	oracle := mallardtest.OracleSites(program, truth)
	for _, strategy := range []placement.Strategy{placement.Site, placement.DuckTracks, placement.Optimal} {
		output, p := mallardtest.Record(t, jdk, command, "--placement", strategy.String())
		if output.Stdout != plain.Stdout || output.ExitCode != 0 || output.Stderr != "" {
			t.Errorf("%v: exit code %d, prints\n%s%.2000s\nnot\n%s", strategy, output.ExitCode, output.Stdout,
				output.Stderr, plain.Stdout)
		}
		want := maps.Clone(oracle)
		notSkipped(want, p)
		named += len(oracle) - len(want)
		if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" {
			t.Errorf("%v: sites (-oracle +mallard):\n%s", strategy, diff)
		}
	}
	return named
}

// notSkipped leaves out the sites of methods that are named in the recording as not counted.
func notSkipped(sites map[string]jvmtest.Counts, p *profile.Profile) {
	maps.DeleteFunc(sites, func(site string, _ jvmtest.Counts) bool {
		return slices.ContainsFunc(p.Skipped, func(s profile.Skipped) bool {
			rest, ok := strings.CutPrefix(site, s.Class+".")
			method, _, _ := strings.Cut(rest, ":")
			return ok && (strings.Contains(s.Reason, "method "+method) || !strings.HasPrefix(s.Reason, "method "))
		})
	})
}
