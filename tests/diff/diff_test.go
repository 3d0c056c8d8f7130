// Package diff_test compares recordings of two versions of a program.
package diff_test

import (
	"encoding/json"
	"os/exec"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/payload"
)

// orders is how many each run handles.
const orders = 20_000

// answer is what is read of the JSON form.
type answer struct {
	Unit string `json:"unit"`
	A    struct {
		Units []float64 `json:"units"`
	} `json:"a"`
	Noise struct {
		Rows int `json:"rows"`
	} `json:"within_noise"`
	Rows []row `json:"rows"`
}

type row struct {
	Class string `json:"class"`
	Site  struct {
		Class  string `json:"class"`
		Method string `json:"method"`
		Line   int    `json:"line"`
	} `json:"site"`
	State   string  `json:"state"`
	Sure    *bool   `json:"sure"`
	Objects float64 `json:"change_objects"`
	A       float64 `json:"a_objects"`
	B       float64 `json:"b_objects"`
}

// record runs a version of Shop.java and gives the recording.
func record(t *testing.T, jdk jvmtest.JDK, version string, handled int, flags ...string) string {
	t.Helper()
	jar, err := payload.API()
	if err != nil {
		t.Fatal(err)
	}
	classes := jdk.MustJavac(t, []string{"-cp", jar}, mallardtest.Source(t, "versions", version, "Shop.java"))
	command, file := mallardtest.Profiled(t, jvmtest.Command{Classpath: []string{classes, jar}, Main: "Shop",
		Options: jvmtest.ShortRun(), Args: []string{strconv.Itoa(handled)}}, append([]string{"-q"}, flags...)...)
	if out := jdk.MustRun(t, command); out.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s", out.ExitCode, out.Stderr)
	}
	return file
}

// compare asks for the difference.
func compare(t *testing.T, args ...string) (a answer) {
	t.Helper()
	out, err := exec.Command(mallardtest.Binary(t), append([]string{"diff", "--format", "json"}, args...)...).Output()
	if err == nil {
		err = json.Unmarshal(out, &a)
	}
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return a
}

// TestPlanted: of three runs of each version the first row is what was planted, nothing else is sure but what it brings
// along, and what has moved is where it was.
func TestPlanted(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		sides := append([]string{}, "--min", "1")
		for i, version := range []string{"before", "after"} {
			if i > 0 {
				sides = append(sides, "--")
			}
			for range 3 {
				sides = append(sides, record(t, jdk, version, orders))
			}
		}
		got := compare(t, sides...)
		if len(got.Rows) != 1 {
			t.Fatalf("%d rows: %+v", len(got.Rows), got.Rows)
		}
		r := got.Rows[0]
		if r.Class != "byte[]" || r.Site.Method != "handle" || r.Site.Line != 19 || r.State != "new" ||
			r.Sure == nil || !*r.Sure || r.A != 0 || r.B != orders {
			t.Errorf("%+v", r)
		}
		moved := map[string]float64{}
		for _, r := range compare(t, append([]string{"--all", "--method", "Shop*.*"}, sides...)...).Rows {
			if r.State == "moved" && r.Objects == 0 {
				moved[r.Site.Class+"."+r.Site.Method+" "+r.Class] += r.B
			}
		}
		want := map[string]float64{"Shop.handle Shop$2": orders, "Shop.handle java.lang.StringBuilder": orders,
			"Shop$2.run long[]": orders}
		lambda := ""
		for name, n := range moved {
			if len(name) > 11 && name[:11] == "Shop.lambda" && n == orders {
				lambda = name
				delete(moved, name)
			}
		}
		if diff := cmp.Diff(want, moved); diff != "" || lambda == "" {
			t.Errorf("lambda %q, -want +got:\n%s", lambda, diff)
		}
		nothing := compare(t, append(append([]string{"--min", "0.1"}, sides[2:5]...), append([]string{"--"},
			sides[2:5]...)...)...)
		if len(nothing.Rows) != 0 || nothing.Noise.Rows != 0 {
			t.Errorf("with itself: %+v", nothing)
		}
	})
}

// TestTransactions: with twice as many, each does the same.
func TestTransactions(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, representation := range []string{"hashed", "tree", "encoded"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			flags := []string{"--track", "contexts", "--contexts", representation}
			a, b := record(t, jdk, "after", orders/2, flags...), record(t, jdk, "after", orders, flags...)
			got := compare(t, "--per", "request", "--min", "1", "--transaction", "order", a, b)
			if got.Unit != "transaction" || len(got.A.Units) != 1 || got.A.Units[0] != orders/2 || len(got.Rows) != 0 {
				t.Errorf("%s: %+v", representation, got)
			}
			if got := compare(t, "--by", "context", "--min", "1", "--under", "Shop.handle", a, b); len(got.Rows) < 4 {
				t.Errorf("%s: %+v", representation, got)
			}
		}
	})
}
