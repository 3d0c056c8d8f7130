package truth_test

import (
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestStoppedStacks: what the JVM takes for the stacks of virtual threads that stop is counted, each time that it is
// made and not when it is used again. How the JVM finds the agent's method that measures it is nothing that carriers
// make: with libraries loaded that takes an iterator.
func TestStoppedStacks(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if jdk.Feature < 21 {
			return // there are no virtual threads
		}
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, mallardtest.Source(t, "Sleeps.java"))},
			Main: "Sleeps", Args: []string{"4000"}, Options: []string{"-XX:-DoEscapeAnalysis"}}
		for _, track := range []string{"sites", "contexts"} {
			output, p := mallardtest.Record(t, jdk, command, "--track", track)
			if output.ExitCode != 0 || !p.Complete {
				t.Fatalf("%s: exit code %d, complete %v: %s", track, output.ExitCode, p.Complete, output.Stderr)
			}
			var stacks profile.Amount
			for _, row := range p.Rows(profile.Query{By: profile.ByClass}).Rows {
				if row.Class == "jdk.internal.vm.StackChunk" {
					stacks = row.Amount
				}
			}
			for sample := range p.Samples(profile.Filter{}) {
				if sample.Thread.Carrier &&
					sample.Site.Type == "java.util.concurrent.ConcurrentHashMap$ValueIterator" {
					t.Errorf("%s: %s has made %d iterators", track, sample.Thread.Name, sample.Amount.Objects)
				}
			}
			// Each thread's stack is put somewhere at least once; what the JVM makes for itself, when it loads
			// classes, and no more, has no site; and nothing is counted that was not made.
			const few, own = 64 << 10, 1 << 20
			r := p.Reconciliation
			if stacks.Objects < 4000 || stacks.Bytes < 4<<20 || r.Unattributed > own || r.EscapeAnalysis > few {
				t.Errorf("%s: %d chunks of %d bytes; of all bytes %d have no site, and %d are too many", track,
					stacks.Objects, stacks.Bytes, r.Unattributed, r.EscapeAnalysis)
			}
		}
	})
}
