package truth_test

import (
	"fmt"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestAttachedCountsAreTrue attaches to JVMs that have loaded the test programs, lets these run, leaves again, and
// compares with the oracle, site by site, to the object and to the byte. In each other one it is the third time.
func TestAttachedCountsAreTrue(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		programs, together := jvmtest.Together(t, jdk)
		truth := jvmtest.RunOracle(t, jdk, together)
		for i, options := range [][]string{nil, {"-Xint"}} {
			strategy := []string{"optimal", "ducktracks", "site"}[(jdk.Feature+i)%3]
			t.Run(fmt.Sprint(strategy, options), func(t *testing.T) {
				command := together
				command.Options = options
				running := mallardtest.StartLater(t, jdk, command)
				pid := fmt.Sprint(running.PID)
				for range 2 * i {
					mallardtest.Attach(t, pid).Detach(t, pid)
				}
				attached := mallardtest.Attach(t, pid, "--placement", strategy)
				running.Go(t)
				said := attached.Detach(t, pid)
				if code := running.End(t); code != 0 {
					t.Fatalf("exit code %d\n%s", code, running.Stderr.String())
				}
				p := mallardtest.Read(t, attached.File)
				if !p.Complete {
					t.Fatalf("not complete: %s\n%s", p.Reason, said)
				}
				for _, program := range programs {
					compareSites(t, program, p, truth)
				}
			})
		}
	})
}
