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

// compareBooks runs a program that keeps books of transactions, until it has asked for its context so many times, and
// compares: the stacks of its contexts, of which there are so many at least, and what it made in each transaction.
// Losses are of a kind, which is "" where there are none. A run is a shape, how the program ends, and options of the
// JVM.
func compareBooks(t *testing.T, name string, times, contexts int, losses string, runs ...string) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, run := range runs {
			t.Run(run, func(t *testing.T) {
				words := strings.Fields(run)
				command, file := mallardtest.Profiled(t, mallardtest.Keeper(t, jdk, name, strconv.Itoa(times),
					words[1]), "-q", "--track", "contexts", "--contexts", words[0])
				command.Options = append([]string{"-Xss16m"}, words[2:]...)
				if jvmtest.Long() {
					command.Timeout = 30 * time.Minute
				}
				asked, made := mallardtest.ReadBooks(jdk.MustRun(t, command).Stdout)
				stacks := mallardtest.StacksOf(t, asked)
				if len(stacks) < contexts || len(made) < 10 {
					t.Fatalf("%d contexts, made %v", len(stacks), made)
				}
				stacks.CompareDecoded(t, file)
				report := mallardtest.Ask(t, file, "Books$Marker", "transaction")
				report.CompareLosses(t, losses)
				if diff := cmp.Diff(made, report.Made()); diff != "" {
					t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
				}
			})
		}
	})
}
