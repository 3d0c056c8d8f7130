package portable_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
	"mallard/internal/portable"
	"mallard/internal/profile"
)

// madeByCalls is what a round of the probes of tests/testdata/compiled/Classes.java makes by calls of its own, whose
// code does not tell of what class it is.
var madeByCalls = map[string]map[string]int64{
	"ArraysOfClasses": {"byte[]": 1, "char[]": 1, "int[]": 1, "long[]": 1, "java.lang.String[]": 1, "int[][]": 1},
	"NestedArrays":    {"java.lang.String[][][]": 1, "java.lang.String[][]": 2, "java.lang.String[]": 6},
	"CopiesOfClasses": {"java.lang.String[]": 1, "java.lang.Integer[]": 1, "java.lang.Object[]": 1},
	"CopyOfType":      {"java.lang.String[]": 2, "java.lang.CharSequence[]": 1},
	"CloneArrays":     {"java.lang.String[]": 1, "java.lang.Object[]": 1},
	"Clone":           {"Classes$Animal": 1, "Classes$Duck": 1, "Classes$Mallard": 1},
	"Construct":       {"Classes$Animal": 1, "Classes$Duck": 1, "Classes$Mallard": 1, "java.lang.Object[]": 3},
	"Values":          {"Classes$Color[]": 1},
}

// TestPortableClasses: what calls make is of the class that it is of, without an agent, too, and with contexts.
func TestPortableClasses(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob(mallardtest.Source(t, "compiled", "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 5000
	for i, options := range []portable.Options{{Placement: placement.Optimal}, {Placement: placement.Site},
		{Placement: placement.Optimal, Contexts: true}} {
		t.Run(fmt.Sprint(options.Placement, options.Contexts), func(t *testing.T) {
			jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
				if !jvmtest.IsTurn(t, jdk, i) {
					return
				}
				command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, sources...)}, Main: "Classes",
					Options: []string{fmt.Sprintf("-Drounds=%d", rounds)}}
				command, file := mallardtest.Agentless(t, command, options)
				if output := jdk.MustRun(t, command); output.ExitCode != 0 {
					t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
				}
				p := mallardtest.Read(t, file)
				for name, makes := range madeByCalls {
					compareMade(t, p, "probe "+name, makes, rounds)
				}
			})
		})
	}
}

// TestPortableForgets: classes of what calls make are not kept alive, and those of one name have counters together.
func TestPortableForgets(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Agentless(t, jvmtest.Command{Main: "Forgets",
			Classpath: []string{mallardtest.Compiled(t, jdk, "Forgets").Classpath[0]}},
			portable.Options{Placement: placement.Site})
		if output := jdk.MustRun(t, command); output.Stdout != "0 left\n" {
			t.Errorf("prints %s%s", output.Stdout, output.Stderr)
		}
		made := map[string]int64{}
		for _, site := range mallardtest.Read(t, file).Sites {
			made[site.Type] += site.Amount.Objects
		}
		if made["Forgets$Forgotten"] != 50 || made["Forgets$Forgotten[]"] != 100 {
			t.Errorf("%v", made)
		}
	})
}

func compareMade(t *testing.T, p *profile.Profile, thread string, makes map[string]int64, rounds int64) {
	t.Helper()
	seen := map[string]int64{}
	for _, row := range p.Rows(profile.Query{By: profile.ByClass, Filter: profile.Filter{Thread: thread}}).Rows {
		seen[row.Class] = row.Amount.Objects
	}
	const few = 20 // of the thread itself
	for class, n := range makes {
		if have, want := seen[class], n*rounds; have < want || have > want+few {
			t.Errorf("%s: %d objects of %s, want %d", thread, have, class, want)
		}
		delete(seen, class)
	}
	for class, n := range seen {
		if n > few {
			t.Errorf("%s: %d objects of %s, want none", thread, n, class)
		}
	}
}
