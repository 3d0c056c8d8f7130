package objects_test

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// promotedRow is a line of heap --premature --by site.
type promotedRow struct{ promoted, looked, died, bytes int64 }

// TestPremature holds what heap --premature says against a program that promotes objects, and drops some of them before
// a full collection looks, some behind that, some never.
func TestPremature(t *testing.T) {
	const rounds, each = 6, 3000
	half, third := int64(rounds*each/2), int64(rounds*each/3)
	want := map[tagged]promotedRow{
		{"Promoted$Vain", "even"}:     {half, half, half, half * 24},
		{"Promoted$Vain", "odd"}:      {half, half, half, half * 24},
		{"Promoted$Later", "make"}:    {half, half, 0, 0},
		{"Promoted$Kept", "make"}:     {third, third, 0, 0},
		{"Promoted$AtTheEnd", "main"}: {each, 0, 0, 0},
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Promoted")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xmn8m",
					"-XX:MaxTenuringThreshold=0"}
				command.Args = []string{strconv.Itoa(rounds)}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--each-object")
				if output := jdk.MustRun(t, command); output.ExitCode != 0 {
					t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
				}
				got := premature(t, file)
				// a collection may come while one is in a local variable
				if young := got[tagged{"Promoted$Young", "make"}]; young.promoted > rounds {
					t.Errorf("%d were promoted that die young", young.promoted)
				}
				delete(got, tagged{"Promoted$Young", "make"})
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(promotedRow{}, tagged{})); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		}
	})
}

// premature asks mallard what was promoted in vain of the program's classes, by the sites that made it.
func premature(t *testing.T, file string) map[tagged]promotedRow {
	t.Helper()
	answer := mallardtest.RunWords(t, t.TempDir(), nil, mallardtest.Binary(t), "heap", file, "--premature", "--by",
		"site", "--class", "Promoted$*", "--format", "csv")
	lines, err := csv.NewReader(strings.NewReader(answer.Stdout)).ReadAll()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%v\n%s%s", err, answer.Stdout, answer.Stderr)
	}
	rows := map[tagged]promotedRow{}
	for _, line := range lines[1:] {
		column := func(name string) string { return line[slices.Index(lines[0], name)] }
		number := func(name string) int64 {
			n, err := strconv.ParseInt(column(name), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		rows[tagged{column("class"), column("site.method")}] = promotedRow{number("promoted_objects"),
			number("looked_objects"), number("premature_objects"), number("premature_bytes")}
	}
	return rows
}
