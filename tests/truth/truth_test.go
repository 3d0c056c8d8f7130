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
	mallardtest.EachCombination(t, []int{len(mallardtest.Variants), len(modes)},
		func(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program,
			command jvmtest.Command, plain jvmtest.Output, rows [][]int) {
			var truth jvmtest.OracleResult
			var want map[string]jvmtest.Counts
			if program.Deterministic && !program.Killed() {
				truth = jvmtest.RunOracle(t, jdk, command)
				want = mallardtest.OracleSites(program, truth)
			}
			for _, row := range rows {
				command.Options = modes[row[1]]
				mallardtest.RecordAsPlain(t, jdk, command, plain, mallardtest.Variants[row[0]],
					func(t *testing.T, p *profile.Profile) {
						if p.Complete == program.Killed() {
							t.Errorf("complete: %v (%s)", p.Complete, p.Reason)
						}
						if want == nil {
							return
						}
						if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" {
							t.Errorf("sites (-oracle +mallard):\n%s", diff)
						}
						if diff := cmp.Diff(mallardtest.OracleThrown(program, truth),
							mallardtest.RecordedThrown(program, p, truth)); diff != "" {
							t.Errorf("exceptions of the JVM's (-oracle +mallard):\n%s", diff)
						}
					})
			}
		})
}
