package contexts_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// requests are the methods of testdata/requests.txtar that are transactions.
var requests = []string{"servlets,jax-rs,spring,junit,main", "Requests.plain", "Requests.recursive,Requests.thrown",
	"Requests.o*r", "Requests.inner", "Requests.many", "Requests.empty", "Requests.byText(2)", "Requests.byInt(2)",
	"Requests.byLong(1)", "Requests.byChar(1)", "Requests.byAny(1)", "Requests.byCall(1.label())", "Requests.sized"}

// TestTransactionAt has methods be transactions that know nothing of Mallard: what is made in each, and how many there
// are, is what the program's own ledger says; how large they are is what the program makes them.
func TestTransactionAt(t *testing.T) {
	representations, modes := []string{"hashed", "encoded", "tree"}, []string{"", "-XX:TieredStopAtLevel=1", "-Xint"}
	jdks := jvmtest.JDKs(t)
	archive, err := txtar.ParseFile(mallardtest.Source(t, "requests.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var sources []string
	for _, f := range archive.Files {
		path := filepath.Join(folder, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, path)
	}
	rows := jvmtest.Combinations(len(representations), len(modes), 2, len(jdks))
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, sources...)
		for _, row := range rows {
			if jdks[row[3]].Home != jdk.Home {
				continue
			}
			representation, mode, unnamed := representations[row[0]], modes[row[1]], row[2] == 1
			t.Run(fmt.Sprint(representation, mode, unnamed), func(t *testing.T) {
				command := jvmtest.Command{Classpath: []string{classes}, Main: "Requests", Args: []string{"100"}}
				loss := ""
				if unnamed {
					command.Args, loss = append(command.Args, "unnamed"), "transactions"
				}
				flags := []string{"-q", "--contexts", representation}
				for _, at := range requests {
					flags = append(flags, "--transaction-at", at)
				}
				command, file := mallardtest.Profiled(t, command, flags...)
				command.Options = strings.Fields(mode)
				made, counts := readCounts(t, jdk.MustRun(t, command).Stdout)
				report := mallardtest.Ask(t, file, "Requests$Marker", "transaction")
				report.CompareLosses(t, loss)
				if diff := cmp.Diff(made, report.Made()); diff != "" {
					t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
				}
				sizes := sizesOf(t, file)
				got := map[string]int64{}
				for name, s := range sizes {
					got[name] = s.Count
				}
				counts["Requests.sized"] = 1000
				counts["Requests.empty"] = counts["Requests.plain"]
				maps.DeleteFunc(got, func(name string, _ int64) bool { return name == "Requests.empty" })
				delete(counts, "Requests.empty") // which made nothing
				if diff := cmp.Diff(counts, got); diff != "" {
					t.Errorf("how many there were: -want +got:\n%s", diff)
				}
				sizes["Requests.sized"].compare(t)
			})
		}
	})
}

// readCounts reads what the program says it made in each transaction, and how many of each there were.
func readCounts(t *testing.T, out string) (made, counts map[string]int64) {
	t.Helper()
	made, counts = map[string]int64{}, map[string]int64{}
	for line := range strings.Lines(out) {
		var markers, times int64
		if _, err := fmt.Sscanf(line, "made %d %d", &markers, &times); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		name := strings.TrimSuffix(strings.SplitN(line, " ", 4)[3], "\n")
		made[name] = markers
		if name != "" {
			counts[name] = times
		}
	}
	return made, counts
}

// reportedSizes are those of the transactions of a name.
type reportedSizes struct {
	Count, Measured int64
	Bytes           int64 `json:"jvm_bytes"`
	P50             int64 `json:"p50_jvm_bytes"`
	P90             int64 `json:"p90_jvm_bytes"`
	P99             int64 `json:"p99_jvm_bytes"`
	Max             int64 `json:"max_jvm_bytes"`
}

// compare holds them against 1,016, 1,032, ..., 17,000 bytes. The code that enters may be linked inside the first.
func (s reportedSizes) compare(t *testing.T) {
	t.Helper()
	const first, step, n = 1000, 16, 1000
	near := func(what string, got, want int64) {
		if got < want*15/16-8 || got > want*17/16+8 {
			t.Errorf("%s: %d bytes, want %d", what, got, want)
		}
	}
	near("half of them", s.P50, first+step*n/2)
	near("nine tenths", s.P90, first+step*n*9/10)
	near("99 of 100", s.P99, first+step*n*99/100)
	near("the largest", s.Max, first+step*n)
	near("all", s.Bytes, n*first+step*n*(n+1)/2)
	if s.Measured != n {
		t.Errorf("%d were measured", s.Measured)
	}
}

func sizesOf(t *testing.T, file string) map[string]reportedSizes {
	t.Helper()
	out, err := exec.Command(mallardtest.Binary(t), "report", "--by", "transaction", "--format", "json", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Rows []struct {
			Transaction string
			Sizes       *reportedSizes
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	sizes := map[string]reportedSizes{}
	for _, row := range report.Rows {
		if row.Sizes != nil {
			sizes[row.Transaction] = *row.Sizes
		}
	}
	return sizes
}
