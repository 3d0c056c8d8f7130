package truth_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestCountsAreTrue runs every test program under every placement, interpreted and compiled, and compares with the
// oracle, site by site, to the object and to the byte. The oracle counts every allocation through JVMTI in another run,
// interpreted, and shares no code with Mallard.
func TestCountsAreTrue(t *testing.T) {
	modes := [][]string{{"-Xint"}, nil}
	mallardtest.EachGroup(t, mallardtest.TurnOfCounts, []int{len(mallardtest.Variants), len(modes)},
		func(t *testing.T, g *mallardtest.Group, rows [][]int) {
			truth := g.Oracle(t)
			for _, row := range rows {
				g.RecordAsPlain(t, mallardtest.Variants[row[0]], modes[row[1]],
					func(t *testing.T, p *profile.Profile) {
						if p.Complete == g.Programs[0].Killed() {
							t.Errorf("complete: %v (%s)", p.Complete, p.Reason)
						}
						for _, program := range g.Programs {
							if truth != nil {
								compareSites(t, program, p, *truth)
							}
						}
					})
			}
		})
}

// compareSites compares what a program's own code makes.
func compareSites(t *testing.T, program jvmtest.Program, p *profile.Profile, truth jvmtest.OracleResult) {
	t.Helper()
	if diff := cmp.Diff(mallardtest.OracleSites(program, truth), mallardtest.RecordedSites(program, p,
		truth)); diff != "" {
		t.Errorf("sites (-oracle +mallard):\n%s", diff)
	}
	if diff := cmp.Diff(mallardtest.OracleThrown(program, truth), mallardtest.RecordedThrown(program, p,
		truth)); diff != "" {
		t.Errorf("exceptions of the JVM's (-oracle +mallard):\n%s", diff)
	}
}
