// Package merge_test merges the recordings of JVMs that one command starts.
package merge_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// report is what is read of the JSON form.
type report struct {
	Totals       struct{ Objects, Bytes int64 }
	Unattributed struct{ Bytes int64 }
	Rows         []struct {
		Transaction    string
		Program        struct{ Name, File string }
		Objects, Bytes int64
	}
	Losses []struct{ Kind, Detail string }
}

func ask(t *testing.T, args ...string) (r report) {
	t.Helper()
	out, err := exec.Command(mallardtest.Binary(t), append([]string{"report", "--format", "json"}, args...)...).Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return r
}

// TestThreeJVMs: of the JVMs that one command starts the sums are what each has alone, and what the programs say
// themselves that they have made.
func TestThreeJVMs(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if !jvmtest.IsTurn(t, jdk, 0) {
			return
		}
		c := mallardtest.Keeper(t, jdk, "Transacts")
		folder := t.TempDir()
		var script strings.Builder
		for i, run := range [][]string{{"200", "return"}, {"300", "return"}, {"250", "return"}} {
			options := append(jvmtest.ShortRun(), "-Xss16m")
			if i == 2 { // where a reference takes more bytes
				options = append(options, "-XX:-UseCompressedOops")
			}
			words := slices.Concat([]string{jdk.Tool("java")}, options, []string{"-cp", strings.Join(c.Classpath, ":"),
				c.Main}, run)
			fmt.Fprintf(&script, "'%s' > %d.txt\n", strings.Join(words, "' '"), i)
		}
		all := filepath.Join(folder, "run.mallard")
		output := mallardtest.RunWords(t, folder, nil, mallardtest.Binary(t), "run", "-q", "--answer-within", "1m",
			"--exit-within", "1m", "-o", all, "--track", "contexts", "--", "sh", "-e", "-c", script.String())
		if output.ExitCode != 0 {
			t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.mallard"))
		if err != nil || len(files) != 3 {
			t.Fatalf("%v, %v", files, err)
		}
		made := map[string]int64{}
		for i := range files {
			out, err := os.ReadFile(filepath.Join(folder, strconv.Itoa(i)+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			_, own := mallardtest.ReadLedger(string(out))
			for name, n := range own {
				made[name] += n
			}
		}
		merged := filepath.Join(t.TempDir(), "merged.mallard")
		if out, err := exec.Command(mallardtest.Binary(t), append([]string{"merge", "-o", merged},
			files...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, given := range [][]string{files, {merged}} {
			compareSums(t, given, files, made)
		}
	})
}

// compareSums holds reports about recordings, or their merge, against each alone and what the programs have made.
func compareSums(t *testing.T, given, files []string, made map[string]int64) {
	t.Helper()
	got := map[string]int64{}
	whole := ask(t, append([]string{"--by", "transaction", "--class", "Ledger$Marker"}, given...)...)
	for _, row := range whole.Rows {
		got[row.Transaction] = row.Objects
	}
	if diff := cmp.Diff(made, got); diff != "" || len(made) < 10 {
		t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
	}
	var sum struct{ objects, bytes, unattributed int64 }
	alone := map[string][2]int64{}
	for _, file := range files {
		r := ask(t, "--top", "1", file)
		alone[filepath.Base(file)] = [2]int64{r.Totals.Objects, r.Totals.Bytes}
		sum.objects += r.Totals.Objects
		sum.bytes += r.Totals.Bytes
		sum.unattributed += r.Unattributed.Bytes
	}
	if whole.Totals.Objects != sum.objects || whole.Totals.Bytes != sum.bytes ||
		whole.Unattributed.Bytes != sum.unattributed {
		t.Errorf("%+v, %+v, want %+v", whole.Totals, whole.Unattributed, sum)
	}
	each := map[string][2]int64{}
	for _, row := range ask(t, append([]string{"--by", "program"}, given...)...).Rows {
		if row.Program.Name != "Transacts" {
			t.Errorf("program %q", row.Program.Name)
		}
		each[row.Program.File] = [2]int64{row.Objects, row.Bytes}
	}
	if diff := cmp.Diff(alone, each); diff != "" {
		t.Errorf("by program: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(sites(t, files...), sites(t, given...)); diff != "" {
		t.Errorf("by site, -want +got:\n%s", diff)
	}
}

// sites adds up recordings' sites of the programs' own classes.
func sites(t *testing.T, files ...string) map[string]profile.Amount {
	t.Helper()
	sum := map[string]profile.Amount{}
	for _, file := range files {
		for _, s := range mallardtest.Read(t, file).Sites {
			if !s.Executed && !strings.Contains(s.Class, "/") && !strings.Contains(s.Type, "/") &&
				strings.HasPrefix(s.Class, "Ledger") {
				key := fmt.Sprintf("%s.%s%s %d %s", s.Class, s.Method, s.Descriptor, s.BCI, s.Type)
				a := sum[key]
				a.Add(s.Amount)
				sum[key] = a
			}
		}
	}
	return sum
}
