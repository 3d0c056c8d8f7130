package truth_test

import (
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestFailedCopies: arrays of Arrays.copyOf and copyOfRange that were made when something did not fit into them, or
// there was nothing to copy. C2's own code for these methods throws without executing them where an element does not
// fit: then a loss says so.
func TestFailedCopies(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range []struct {
			name        string
			java, flags []string
		}{
			{"interpreted", []string{"-Drounds=2000", "-Xint"}, nil},
			{"C1", []string{"-Drounds=5000", "-XX:TieredStopAtLevel=1"}, nil},
			{"hashed", []string{"-Drounds=2000", "-XX:TieredStopAtLevel=1"}, []string{"--track", "contexts"}},
			{"tree", []string{"-Drounds=2000", "-Xint", "-Xverify:all"},
				[]string{"--track", "contexts", "--contexts", "tree"}},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(run.name, func(t *testing.T) {
				probes, p := runProbes(t, jdk, "Copies", nil, run.java, run.flags...)
				for _, probe := range probes {
					probe.compare(t, p, true)
				}
			})
		}
		t.Run("C2", func(t *testing.T) {
			_, p := runProbes(t, jdk, "Copies", nil, []string{"-Drounds=80000", "-XX:-DoEscapeAnalysis"})
			if !strings.Contains(unattributedLoss(p), "Arrays.copyOf could not fill (Copies$") {
				t.Errorf("losses: %+v", p.Losses)
			}
		})
	})
}

// TestLengthsOfDimensions: C2 makes an array of lengths for more than five dimensions, which a loss names.
func TestLengthsOfDimensions(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := jvmtest.Command{Classpath: []string{probeClasses(t, jdk, nil)}, Main: "Intrinsics",
			Args: []string{"SixDimensions"}, Options: []string{"-Drounds=80000", "-XX:-DoEscapeAnalysis"}}
		_, p := mallardtest.Record(t, jdk, command)
		if !strings.Contains(unattributedLoss(p), "more than 5 dimensions (Expansions$SixDimensions.round:") {
			t.Errorf("losses: %+v", p.Losses)
		}
	})
}

// unattributedLoss is what a recording says of bytes at no known site.
func unattributedLoss(p *profile.Profile) string {
	for _, loss := range p.Losses {
		if loss.Kind == "unattributed" {
			return loss.Detail
		}
	}
	return ""
}
