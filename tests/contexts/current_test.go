package contexts_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestCurrentContext has a program ask for its context at random places, deep and shallow, in threads, lambdas,
// constructors and initialisers of classes, and under exceptions, print what Thread.getStackTrace says there, and
// compares that with what decode says of the number: class, method, line and order.
func TestCurrentContext(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		times, timeout := 20_000, jvmtest.DefaultTimeout
		if jvmtest.Long() {
			times, timeout = 1_000_000, 30*time.Minute
		}
		asks := mallardtest.Keeper(t, jdk, "Asks", strconv.Itoa(times))
		asks.Timeout = timeout
		for i, name := range []string{"hashed", "encoded", "encoded, epochs", "tree"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				representation, _, often := strings.Cut(name, ",")
				if often {
					mallardtest.ManyEpochs(t)
				}
				command, file := mallardtest.Profiled(t, asks, "-q", "--track", "contexts", "--contexts",
					representation,
					"--context-memory", "4096")
				asked, _ := mallardtest.ReadLedger(jdk.MustRun(t, command).Stdout)
				want := mallardtest.StacksOf(t, asked)
				if len(asked) < times || len(want) < 1_000 {
					t.Fatalf("%d numbers, %d contexts", len(asked), len(want))
				}
				want.CompareDecoded(t, file)
				t.Logf("%d comparisons, %d contexts", len(asked), len(want))
			})
		}
	})
}
