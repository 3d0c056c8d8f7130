package contexts_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// compareLedgers runs a program that keeps a ledger of transactions, until it has asked for its context so many times,
// and compares: the stacks of its contexts, of which there are so many at least, and what it made in each transaction.
// Losses are of a kind, which is "" where there are none. Ends are ways in which the program ends; they run in the
// combinations with JDKs, representations and compilers that [jvmtest.Combinations] makes.
func compareLedgers(t *testing.T, name string, times, contexts int, losses string, ends ...string) {
	representations, modes := []string{"hashed", "encoded", "tree"}, []string{"", "-XX:TieredStopAtLevel=1", "-Xint"}
	jdks := jvmtest.JDKs(t)
	rows := jvmtest.Combinations(len(representations), len(modes), len(ends), len(jdks))
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, row := range rows {
			representation, mode, end := representations[row[0]], modes[row[1]], ends[row[2]]
			if jdks[row[3]].Home != jdk.Home {
				continue
			}
			t.Run(representation+" "+end+" "+mode, func(t *testing.T) {
				command, file := mallardtest.Profiled(t, mallardtest.Keeper(t, jdk, name, strconv.Itoa(times),
					end), "-q", "--track", "contexts", "--contexts", representation)
				command.Options = append([]string{"-Xss16m"}, strings.Fields(mode)...)
				if jvmtest.Long() {
					command.Timeout = 30 * time.Minute
				}
				asked, made := mallardtest.ReadLedger(jdk.MustRun(t, command).Stdout)
				stacks := mallardtest.StacksOf(t, asked)
				if len(stacks) < contexts || len(made) < 10 {
					t.Fatalf("%d contexts, made %v", len(stacks), made)
				}
				stacks.CompareDecoded(t, file)
				report := mallardtest.Ask(t, file, "Ledger$Marker", "transaction")
				report.CompareLosses(t, losses)
				if diff := cmp.Diff(made, report.Made()); diff != "" {
					t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
				}
			})
		}
	})
}
