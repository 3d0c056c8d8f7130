package contexts_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestTransactions has a program begin and end transactions at random places, in threads, virtual ones, constructors,
// initialisers of classes, below native code and under exceptions, some never ended.
func TestTransactions(t *testing.T) {
	times := 150
	if jvmtest.Long() {
		times = 200_000
	}
	compareLedgers(t, "Transacts", times, 300, "", "halt", "return")
}

// TestNamedTransactions has more names than there is room for; without contexts, and without Mallard, it has none.
func TestNamedTransactions(t *testing.T) {
	const names = abi.MaxTransactions + 10
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.CompiledWithAPI(t, jdk, "Named", strconv.Itoa(names))
		if out := jdk.MustRun(t, command).Stdout; out != "false\n" {
			t.Errorf("without Mallard: %s", out)
		}
		for _, track := range []string{"sites", "contexts"} {
			command, file := mallardtest.Profiled(t, command, "-q", "--track", track)
			if out := jdk.MustRun(t, command).Stdout; out != fmt.Sprintln(track == "contexts") {
				t.Errorf("%s: %s", track, out)
			}
			report := mallardtest.Ask(t, file, "Named$Marker",
				map[string]string{"sites": "class", "contexts": "transaction"}[track])
			if track == "sites" {
				if len(report.Rows) != 1 || report.Rows[0].Objects != 2*names+1 || len(report.Losses) != 0 {
					t.Errorf("%+v", report)
				}
				continue
			}
			want := map[string]int64{"": 1, "[other]": 2 * (names - abi.MaxTransactions)}
			for i := range abi.MaxTransactions {
				want[fmt.Sprint("name ", i)] = 2
			}
			if diff := cmp.Diff(want, report.Made()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(report.Losses) != 1 || report.Losses[0].Kind != "transactions" {
				t.Errorf("losses %+v", report.Losses)
			}
		}
	})
}
