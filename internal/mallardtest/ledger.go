package mallardtest

import (
	"encoding/json"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// Keeper compiles a program of tests/testdata that extends Ledger.
func Keeper(t *testing.T, jdk jvmtest.JDK, name string, args ...string) jvmtest.Command {
	t.Helper()
	command := CompiledWithAPI(t, jdk, name, args...)
	command.Classpath = append(command.Classpath, Compiled(t, jdk, "Ledger").Classpath...)
	return command
}

// ReadLedger reads what a program says that keeps them: a line for each time that it asked for its context, and what it
// made in each transaction.
func ReadLedger(out string) (asked []string, made map[string]int64) {
	made = map[string]int64{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "made "); ok {
			number, name, _ := strings.Cut(rest, " ")
			made[name], _ = strconv.ParseInt(number, 10, 64)
		} else {
			asked = append(asked, line)
		}
	}
	return asked, made
}

// TransactionReport is what these tests read of a report.
type TransactionReport struct {
	Rows []struct {
		Transaction string
		Objects     int64
	}
	Losses []struct{ Kind, Detail string }
}

// Made gives the objects in each transaction.
func (r TransactionReport) Made() map[string]int64 {
	made := map[string]int64{}
	for _, row := range r.Rows {
		made[row.Transaction] = row.Objects
	}
	return made
}

// CompareLosses compares with the kind of the loss that there should be, none if it is "". How deep stacks are, and
// what any program lacks that records itself, does not matter.
func (r TransactionReport) CompareLosses(t *testing.T, want string) {
	t.Helper()
	var got string
	for _, loss := range r.Losses {
		switch loss.Kind {
		case "depth", "portable":
		case want:
			if got != "" {
				t.Errorf("one more loss: %s: %s", loss.Kind, loss.Detail)
			}
			got = want
		default:
			t.Errorf("%s: %s", loss.Kind, loss.Detail)
		}
	}
	if got != want {
		t.Errorf("no loss says %s", want)
	}
}

// Ask has a recording's objects of a class reported.
func Ask(t *testing.T, file, class, by string) (report TransactionReport) {
	t.Helper()
	out, err := exec.Command(Binary(t), "report", "--by", by, "--class", class, "--format", "json", file).Output()
	if err != nil {
		t.Fatalf("report: %v", err)
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return report
}
