package session_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/wire"
)

// TestTransactions has a program begin and end transactions at random places, in threads, virtual ones, constructors, initialisers of classes, below native code and under exceptions, some never
// ended, and compares with the program's own books: the stacks of contexts, and what was made in each transaction.
func TestTransactions(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		times := 300
		if long() {
			times = 200_000
		}
		for _, test := range []struct {
			shape, end string
			options    []string
		}{{"hashed", "halt", nil}, {"tree", "halt", []string{"-XX:TieredStopAtLevel=1"}}, {"hashed", "return", []string{"-Xint"}}, {"encoded", "halt", nil}} {
			t.Run(fmt.Sprint(test), func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "run.mallard")
				command := keeper(t, jdk, "Transacts", itoa(times), test.end)
				command.Wrap = []string{mallard(t), "run", "-q", "-o", file, "--track", "contexts", "--contexts", test.shape, "--"}
				command.Options = append([]string{"-Xss16m"}, test.options...)
				stacks, made := books(t, jdk.MustRun(t, command).Stdout)
				if len(stacks) < 300 || len(made) < 10 {
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

// TestNamedTransactions has more names than there is room for; without contexts, and without Mallard, it has none.
func TestNamedTransactions(t *testing.T) {
	const names = wire.MostTransactions + 10
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := compiledWithAPI(t, jdk, "Named", itoa(names))
		if out := jdk.MustRun(t, command).Stdout; out != "false\n" {
			t.Errorf("without Mallard: %s", out)
		}
		for _, track := range []string{"sites", "contexts"} {
			file := filepath.Join(t.TempDir(), track+".mallard")
			command.Wrap = []string{mallard(t), "run", "-q", "-o", file, "--track", track, "--"}
			if out := jdk.MustRun(t, command).Stdout; out != fmt.Sprintln(track == "contexts") {
				t.Errorf("%s: %s", track, out)
			}
			report := ask(t, file, "Named$Marker", map[string]string{"sites": "class", "contexts": "transaction"}[track])
			if track == "sites" {
				if len(report.Rows) != 1 || report.Rows[0].Objects != 2*names+1 || len(report.Losses) != 0 {
					t.Errorf("%+v", report)
				}
				continue
			}
			made := map[string]int64{}
			for _, row := range report.Rows {
				made[row.Transaction] = row.Objects
			}
			want := map[string]int64{"": 1, "[other]": 2 * (names - wire.MostTransactions)}
			for i := range wire.MostTransactions {
				want[fmt.Sprint("name ", i)] = 2
			}
			if diff := cmp.Diff(want, made); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(report.Losses) != 1 || report.Losses[0].Kind != "transactions" {
				t.Errorf("losses %+v", report.Losses)
			}
		}
	})
}

// books reads what a program says that keeps them: the stacks of its contexts, and what it made in each transaction.
func books(t *testing.T, out string) (stacks contextStacks, made map[string]int64) {
	t.Helper()
	stacks, made = contextStacks{}, map[string]int64{}
	for line := range strings.Lines(out) {
		if name, n, ok := bookOf(line); ok {
			made[name] = n
		} else {
			stacks.add(t, line)
		}
	}
	return stacks, made
}

// bookOf reads how much was made in one transaction.
func bookOf(line string) (name string, n int64, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "made ")
	number, name, _ := strings.Cut(rest, " ")
	n, _ = strconv.ParseInt(number, 10, 64)
	return name, n, ok
}

// byTransaction asks for the objects of a class in each transaction.
func byTransaction(t *testing.T, file, class string) map[string]int64 {
	t.Helper()
	report := ask(t, file, class, "transaction")
	for _, loss := range report.Losses {
		if loss.Kind != "depth" {
			t.Errorf("%s: %s", loss.Kind, loss.Detail)
		}
	}
	rows := map[string]int64{}
	for _, row := range report.Rows {
		rows[row.Transaction] = row.Objects
	}
	return rows
}

// transactionReport is what these tests read of a report.
type transactionReport struct {
	Rows []struct {
		Transaction string
		Objects     int64
	}
	Losses []struct{ Kind, Detail string }
}

// ask has a recording's objects of a class reported.
func ask(t *testing.T, file, class, by string) (report transactionReport) {
	t.Helper()
	out, err := exec.Command(mallard(t), "report", "--by", by, "--class", class, "--format", "json", file).Output()
	if err != nil {
		t.Fatalf("report: %v", err)
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return report
}
