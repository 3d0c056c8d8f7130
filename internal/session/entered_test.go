package session_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
)

// TestEnteredTransactions has a program enter and leave transactions in methods that return, at random places, in threads, virtual ones, constructors, initialisers of classes, below native code and
// under exceptions, under callers that make things all along, some never left, and compares with the program's own books as TestTransactions does.
func TestEnteredTransactions(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		times := 100
		if long() {
			times = 100_000
		}
		for _, test := range []struct {
			shape, end string
			options    []string
		}{{"hashed", "exit", nil}, {"hashed", "halt", []string{"-Xint"}}, {"encoded", "return", nil}, {"encoded", "halt", []string{"-XX:TieredStopAtLevel=1"}}} {
			t.Run(fmt.Sprint(test), func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "run.mallard")
				command := keeper(t, jdk, "Intercepts", itoa(times), test.end)
				command.Wrap = []string{mallard(t), "run", "-q", "-o", file, "--track", "contexts", "--contexts", test.shape, "--"}
				command.Options = test.options
				stacks, made := books(t, jdk.MustRun(t, command).Stdout)
				if len(stacks) < 70 || len(made) < 10 {
					t.Fatalf("%d contexts, made %v", len(stacks), made)
				}
				stacks.compareDecoded(t, file)
				if diff := cmp.Diff(made, byTransaction(t, file, "Books$Marker")); diff != "" {
					t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
				}
			})
		}
	})
}

// TestEnteredInTree has threads enter transactions where they cannot: what was made is in no transaction, and a loss says so.
func TestEnteredInTree(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	file := filepath.Join(t.TempDir(), "run.mallard")
	command := keeper(t, jdk, "Intercepts", "1", "exit")
	command.Wrap = []string{mallard(t), "run", "-q", "-o", file, "--track", "contexts", "--contexts", "tree", "--"}
	var want, got int64
	for line := range strings.Lines(jdk.MustRun(t, command).Stdout) {
		_, n, _ := bookOf(line)
		want += n
	}
	report := ask(t, file, "Books$Marker", "transaction")
	for _, row := range report.Rows {
		got += row.Objects
		if strings.HasPrefix(row.Transaction, "name") {
			t.Errorf("%+v", row)
		}
	}
	if got != want || len(report.Losses) != 1 || report.Losses[0].Kind != "transactions" {
		t.Errorf("%d made, want %d; losses %+v", got, want, report.Losses)
	}
}
