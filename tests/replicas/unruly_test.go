package replicas_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// TestUnruly: objects of threads that end at once and of virtual threads are sampled as others are; what another thread
// goes on writing is no copy of anything; and a program that starts others meanwhile ends as it does without Mallard.
func TestUnruly(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, flags := range [][]string{{"--sampling-pause", "0"}, {"--no-sites"}} {
			t.Run(flags[0], func(t *testing.T) {
				for seconds := 5; ; seconds *= 3 {
					rows, p := unruly(t, jdk, seconds, flags...)
					few := ""
					for _, kind := range []string{"Unruly$Ended", "Unruly$Virtual", "Unruly$Raced"} {
						if row := rows[kind]; !row.IsByWhole() {
							few += fmt.Sprintf(" %s %d", kind, row.Whole.Objects)
						}
					}
					if few != "" && seconds < 100 {
						t.Logf("%d s: too few were looked at:%s; once more, for longer", seconds, few)
						continue
					}
					if few != "" {
						t.Fatalf("too few were looked at:%s", few)
					}
					checkUnruly(t, rows, p)
					return
				}
			})
		}
	})
}

// unruly runs the program, and gives the rows of what it makes itself, by class.
func unruly(t *testing.T, jdk jvmtest.JDK, seconds int, flags ...string) (map[string]replica.SampledRow,
	map[string]int64) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Unruly")
	command.Options, command.Args = []string{"-Xmx64m"}, []string{fmt.Sprint(seconds)}
	events := profile.Events{replica.Observer: nil}
	command, file := mallardtest.Profiled(t, command, append([]string{"-q", "--track", "replicas", "--replicas",
		"sampled"}, flags...)...)
	output := jdk.MustRun(t, command)
	if output.ExitCode != 0 || output.Stderr != "" {
		t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
	}
	p := mallardtest.Read(t, file, events)
	if !p.Complete {
		t.Errorf("not complete: %v", p.Losses)
	}
	rows := map[string]replica.SampledRow{}
	for _, row := range replica.ReadSamples(events[replica.Observer]).Ask(p, replica.SampledQuery{}).Rows {
		rows[row.Class] = row
	}
	made := map[string]int64{}
	for line := range strings.Lines(output.Stdout) {
		var kind string
		var n int64
		if _, err := fmt.Sscan(line, &kind, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		made["Unruly$"+map[string]string{"ended": "Ended", "mounted": "Virtual", "raced": "Raced"}[kind]] = n
	}
	return rows, made
}

func checkUnruly(t *testing.T, rows map[string]replica.SampledRow, made map[string]int64) {
	t.Helper()
	for kind, n := range made {
		row := rows[kind]
		if row.Counted && row.All.Objects != n {
			t.Errorf("%s: %d objects were counted, want %d", kind, row.All.Objects, n)
		}
		if kind == "Unruly$Raced" {
			if row.AsWhole.Repeated > 0.1 {
				t.Errorf("%s: copies have %.2f of %d that were looked at, want none", kind, row.AsWhole.Repeated,
					row.Whole.Objects)
			}
		} else if row.AsWhole.Largest < 0.95 {
			t.Errorf("%s: %.2f of %d that were looked at have the same contents, want all", kind, row.AsWhole.Largest,
				row.Whole.Objects)
		}
	}
}
