package session_test

import (
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// TestEnteredTransactions has a program enter and leave transactions in methods that return, at random places, in threads, virtual ones, constructors, initialisers of classes, below native code and
// under exceptions, under callers that make things all along, some never left.
func TestEnteredTransactions(t *testing.T) {
	times := 100
	if long() {
		times = 100_000
	}
	compareBooks(t, "Intercepts", times, 70, "hashed exit", "hashed halt -Xint", "encoded return", "encoded halt -XX:TieredStopAtLevel=1")
}

// TestEnteredInTree has threads enter transactions where they cannot: what was made is in no transaction, and a loss says so.
func TestEnteredInTree(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	command, file := profiled(t, keeper(t, jdk, "Intercepts", "1", "exit"), "-q", "--track", "contexts", "--contexts", "tree")
	_, made := books(jdk.MustRun(t, command).Stdout)
	report := ask(t, file, "Books$Marker", "transaction")
	var want, got int64
	for _, n := range made {
		want += n
	}
	for name, n := range report.made() {
		got += n
		if strings.HasPrefix(name, "name") {
			t.Errorf("%d in %s", n, name)
		}
	}
	if got != want || len(report.Losses) != 1 || report.Losses[0].Kind != "transactions" {
		t.Errorf("%d made, want %d; losses %+v", got, want, report.Losses)
	}
}
