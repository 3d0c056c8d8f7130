package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
)

// TestContextsAreTrue runs every test program with contexts and compares what its own code allocates with the oracle, stack by stack: classes, methods,
// lines and order of all callers, objects and bytes. The oracle takes the JVM's stack at each allocation, in another run. The tree runs compiled only.
func TestContextsAreTrue(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			t.Run(program.Name, func(t *testing.T) {
				t.Parallel()
				command := program.Command(t, jdk)
				plain := jdk.MustRun(t, command)
				var truth jvmtest.OracleResult
				var want map[string]jvmtest.Counts
				if program.Deterministic && !program.Killed() && program.Name != "Pools" { // which thread does what in a pool, and from where it helps others, is chance
					truth = jvmtest.RunOracle(t, jdk, command)
					want = oracleStacks(program, truth)
				}
				for _, run := range []struct {
					shape   string
					options []string
				}{{"hashed", []string{"-Xint"}}, {"hashed", nil}, {"tree", nil}} {
					t.Run(fmt.Sprint(run.shape, run.options), func(t *testing.T) {
						command.Options = run.options
						output, p := record(t, jdk, command, "--track", "contexts", "--contexts", run.shape)
						if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
							t.Errorf("under mallard the program exits with %d, not %d, and prints\n%s%s\nnot\n%s%s", output.ExitCode, plain.ExitCode,
								output.Stdout, output.Stderr, plain.Stdout, plain.Stderr)
						}
						if want == nil {
							return
						}
						if diff := cmp.Diff(want, mallardStacks(program, truth, p)); diff != "" {
							t.Errorf("stacks (-oracle +mallard):\n%s", diff)
						}
					})
				}
			})
		}
	})
}

// oracleStacks has what the oracle saw at the allocation bytecodes of the program's own classes, with their callers.
func oracleStacks(program jvmtest.Program, truth jvmtest.OracleResult) map[string]jvmtest.Counts {
	stacks := map[string]jvmtest.Counts{}
	for stack, counts := range truth.Stacks {
		if stack.Allocates() {
			addStack(program, stacks, stack.Class, strings.Split(stack.Frames, ";"), counts)
		}
	}
	return stacks
}

// mallardStacks has the same of a recording.
func mallardStacks(program jvmtest.Program, truth jvmtest.OracleResult, p *profile.Profile) map[string]jvmtest.Counts {
	type place struct {
		class, method string
		bci           int
	}
	allocates := map[place]bool{}
	for site := range truth.Sites {
		if site.Called == "" && site.Allocates() {
			allocates[place{site.Declaring, site.Method + site.Descriptor, site.BCI}] = true
		}
	}
	stacks := map[string]jvmtest.Counts{}
	for sample := range p.Samples(profile.Filter{}) {
		site := sample.Site
		if !allocates[place{site.Class, site.Method + site.Descriptor, int(site.BCI)}] {
			continue
		}
		var frames []string
		for _, f := range p.Stack(site, sample.Context) {
			line := int(f.Line)
			if f.Native {
				line = -2
			}
			frames = append(frames, fmt.Sprintf("%s:%d", f.Title(), line))
		}
		addStack(program, stacks, site.Type, frames, jvmtest.Counts{Objects: sample.Amount.Objects, Bytes: sample.Amount.Bytes})
	}
	return stacks
}

// deepest is how many frames of a stack reports tell apart.
const deepest = 1000

// unprinted are methods whose frames JVMTI shows and stack traces do not, all or some of them.
var unprinted = []string{"java.lang.invoke.", "java.lang.Thread.runWith:", "jdk.internal.vm.Continuation.enter", "java.lang.VirtualThread$VThreadContinuation"}

// addStack sums up what the program's own classes allocate.
func addStack(program jvmtest.Program, stacks map[string]jvmtest.Counts, allocated string, frames []string, counts jvmtest.Counts) {
	method, _, _ := strings.Cut(frames[0], ":")
	if !program.Declares(method[:strings.LastIndex(method, ".")]) || counts.Objects == 0 || len(frames) > deepest {
		return
	}
	var kept []string
	for _, f := range frames {
		if !slices.ContainsFunc(unprinted, func(prefix string) bool { return strings.HasPrefix(f, prefix) }) {
			kept = append(kept, f)
		}
	}
	if slices.Contains([]string{"java.lang.Thread", "ManyThreads$Task"}, allocated) {
		counts.Bytes = 0 // a field more under mallard
	}
	key := allocated + "\n\t" + strings.Join(kept, "\n\t")
	sum := stacks[key]
	stacks[key] = jvmtest.Counts{Objects: sum.Objects + counts.Objects, Bytes: sum.Bytes + counts.Bytes}
}
