package truth_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestHiddenClasses compares what constructor references and method handles of constructors make with what the
// program's source says, and with the oracle, which holds all of it against the source (jvmtest.TestPrograms).
func TestHiddenClasses(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		programs := jvmtest.Programs(t)
		program := programs[slices.IndexFunc(programs, func(p jvmtest.Program) bool {
			return p.Name == "HiddenClasses"
		})]
		command := program.Command(t, jdk)
		plain := jvmtest.RunPlain(t, jdk, command)
		truth := jvmtest.RunOracle(t, jdk, command)
		elsewhere := mallardtest.References(program, truth)
		want := map[string]int64{}
		for _, e := range elsewhere {
			want[fmt.Sprintf("line %d: %s", e.Line, e.Class)] += e.Objects
		}
		called := false // a method handle of a constructor
		for site, counts := range truth.Sites {
			if handled(site) {
				called = true
				want[fmt.Sprintf("line %d: %s", site.Line, site.Class)] = counts.Objects
			}
		}
		if !called {
			t.Error("the program calls no method handle of a constructor")
		}
		for _, options := range [][]string{{"-Xint"}, nil, {"-Xcheck:jni"}} {
			t.Run(fmt.Sprint(options), func(t *testing.T) {
				command.Options = options
				output, p := mallardtest.Record(t, jdk, command)
				counted := map[string]int64{}
				for _, site := range p.Sites {
					if mallardtest.IsAny(elsewhere, site) {
						counted[fmt.Sprintf("line %d: %s", site.Line, site.Type)] += site.Amount.Objects
					}
				}
				if output.Stdout != plain.Stdout || !slices.Contains(options, "-Xcheck:jni") &&
					output.Stderr != plain.Stderr {
					t.Errorf("under mallard the program prints\n%s%s\nnot\n%s%s", output.Stdout, output.Stderr,
						plain.Stdout, plain.Stderr)
				}
				if diff := cmp.Diff(want, counted); diff != "" {
					t.Errorf("objects (-expected +mallard):\n%s", diff)
				}
			})
		}
	})
}

// handled tells what a method handle of a constructor makes and neither a lambda's call site nor reflection counts. The
// program's only one is called in its method of that name, where it is counted.
func handled(site jvmtest.Site) bool {
	return site.AllocatedBy == "jdk.internal.misc.Unsafe.allocateInstance" &&
		strings.HasPrefix(site.Called, "java.lang.invoke.") && !strings.Contains(site.Class, "/")
}

// TestManyHiddenClasses hides more classes than can have counters: the program runs on, and the recording says what it
// lacks.
func TestManyHiddenClasses(t *testing.T) {
	const counting, beyond = 1 << 14, 100
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := mallardtest.Compiled(t, jdk, "Hide").Classpath[0]
		output, p := mallardtest.Record(t, jdk, jvmtest.Command{Classpath: []string{classes}, Main: "Hide",
			Args: []string{fmt.Sprint(counting + beyond)}})
		if want := fmt.Sprintln(3 * (counting + beyond)); output.Stdout != want {
			t.Errorf("the program prints %q, not %q; stderr:\n%s", output.Stdout, want, output.Stderr)
		}
		arrays := p.Rows(profile.Query{Filter: profile.Filter{Method: "Hide$Template.get"}}).Selected.Objects
		if arrays != counting {
			t.Errorf("%d arrays are counted, want %d", arrays, counting)
		}
		lost := slices.IndexFunc(p.Losses, func(l trace.Loss) bool { return l.Kind == "hidden" })
		if lost < 0 || p.Losses[lost].Count < beyond {
			t.Errorf("losses: %v", p.Losses)
		}
	})
}
