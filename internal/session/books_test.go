package session_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
)

// keeper compiles a program of this package's testdata that extends Books.
func keeper(t *testing.T, jdk jvmtest.JDK, name string, args ...string) jvmtest.Command {
	t.Helper()
	base := compiledWithAPI(t, jdk, "Books").Classpath
	own := jdk.MustJavac(t, []string{"-cp", strings.Join(base, ":")}, filepath.Join("testdata", name+".java"))
	return jvmtest.Command{Classpath: append(base, own), Main: name, Args: args}
}

// compareBooks runs a program that keeps books of transactions, until it has asked for its context so many times, and compares: the stacks of its contexts, of which there are so many at least, and
// what it made in each transaction. Losses are of a kind, which is "" where there are none. A run is a shape, how the program ends, and options of the JVM.
func compareBooks(t *testing.T, name string, times, contexts int, losses string, runs ...string) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, run := range runs {
			t.Run(run, func(t *testing.T) {
				words := strings.Fields(run)
				command, file := profiled(t, keeper(t, jdk, name, itoa(times), words[1]), "-q", "--track", "contexts", "--contexts", words[0])
				command.Options = append([]string{"-Xss16m"}, words[2:]...)
				if long() {
					command.Timeout = 30 * time.Minute
				}
				asked, made := books(jdk.MustRun(t, command).Stdout)
				stacks := stacksOf(t, asked)
				if len(stacks) < contexts || len(made) < 10 {
					t.Fatalf("%d contexts, made %v", len(stacks), made)
				}
				stacks.compareDecoded(t, file)
				report := ask(t, file, "Books$Marker", "transaction")
				report.compareLosses(t, losses)
				if diff := cmp.Diff(made, report.made()); diff != "" {
					t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
				}
			})
		}
	})
}

// books reads what a program says that keeps them: a line for each time that it asked for its context, and what it made in each transaction.
func books(out string) (asked []string, made map[string]int64) {
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

// transactionReport is what these tests read of a report.
type transactionReport struct {
	Rows []struct {
		Transaction string
		Objects     int64
	}
	Losses []struct{ Kind, Detail string }
}

// made gives the objects in each transaction.
func (r transactionReport) made() map[string]int64 {
	made := map[string]int64{}
	for _, row := range r.Rows {
		made[row.Transaction] = row.Objects
	}
	return made
}

// compareLosses compares with the kind of losses that there should be, none if it is "". How deep stacks are, and what any program lacks that records itself, does not matter.
func (r transactionReport) compareLosses(t *testing.T, want string) {
	t.Helper()
	var got string
	for _, loss := range r.Losses {
		switch loss.Kind {
		case "depth", "portable":
		case want:
			got = want
		default:
			t.Errorf("%s: %s", loss.Kind, loss.Detail)
		}
	}
	if got != want {
		t.Errorf("no loss says %s", want)
	}
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
