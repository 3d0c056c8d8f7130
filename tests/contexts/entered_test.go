package contexts_test

import (
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestEnteredTransactions has a program enter and leave transactions in methods that return, at random places, in
// threads, virtual ones, constructors, initialisers of classes, below native code and under exceptions, under callers
// that make things all along, some never left.
func TestEnteredTransactions(t *testing.T) {
	times := 60
	if jvmtest.Long() {
		times = 2_000 // fifty times as often takes more memory than contexts may
	}
	compareLedgers(t, "Intercepts", times, 70, "transactions", "exit", "halt", "return")
}

// TestEnteredConstructors counts the constructors of what is made in transactions: an object is in the context that its
// constructor was called from, so invocations are in the transaction that they began in.
func TestEnteredConstructors(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Keeper(t, jdk, "Intercepts", "100", "exit"), "-q",
			"--track", "constructors")
		jdk.MustRun(t, command)
		p, check := checked(t, file)
		own := func(class string) bool {
			// which have no constructors with code of ours
			return (strings.HasPrefix(class, "Intercepts$") || strings.HasPrefix(class, "Ledger$")) &&
				!strings.Contains(class, "$$Lambda")
		}
		var compared int64
		for _, c := range check.Types {
			if own(c.Type) {
				compared += c.Rule
			}
		}
		for _, d := range check.Contexts {
			if own(d.Type) {
				t.Errorf("%s: by the rule %d, counted %d, in %v", d.Type, d.Rule, d.Counted, titles(p, d.Context))
			}
		}
		if compared < 5000 {
			t.Errorf("%d objects compared", compared)
		}
	})
}
