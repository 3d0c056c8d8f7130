package lifecycle_test

import (
	"os"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestSnapshots takes many of them and adds up what came between: it is what the recording has in all, whichever part
// is asked for.
func TestSnapshots(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		program := jvmtest.Programs(t)[0]
		for _, p := range jvmtest.Programs(t) {
			if p.Name == "FourThreads" {
				program = p
			}
		}
		for _, track := range []string{"sites", "contexts"} {
			t.Run(track, func(t *testing.T) {
				command, file := mallardtest.Profiled(t, program.Command(t, jdk), "-q", "--snapshots", "5ms", "--track",
					track)
				jdk.MustRun(t, command)
				p := mallardtest.Read(t, file)
				filters := []profile.Filter{{}, {Class: "byte[]"}, {Thread: "main"}, {Method: "java.util.*"}}
				if track == "contexts" {
					filters = append(filters, profile.Filter{Under: program.Name + ".*"},
						profile.Filter{Under: "java.lang.Thread.run", Class: "int[]"})
				}
				for _, filter := range filters {
					q := profile.TimeQuery{Every: time.Millisecond, Parts: true,
						Query: profile.Query{By: profile.ByClass, Filter: filter}}
					recording, err := os.Open(file)
					if err != nil {
						t.Fatal(err)
					}
					timeline, err := p.OverTime(recording, q)
					recording.Close()
					if err != nil {
						t.Fatal(err)
					}
					var sum profile.Amount
					parts := make([]profile.Amount, len(timeline.Rows))
					for n, i := range timeline.Intervals {
						if n > 0 && i.From != timeline.Intervals[n-1].To || i.To <= i.From {
							t.Errorf("interval %d is from %v to %v", n, i.From, i.To)
						}
						sum.Add(i.Amount)
						for k := range parts {
							parts[k].Add(i.Parts[k])
						}
					}
					if want := p.Rows(q.Query).Selected; sum != want {
						t.Errorf("%v: intervals have %v, the recording %v", filter, sum, want)
					}
					for k, row := range timeline.Rows {
						if parts[k] != row.Amount {
							t.Errorf("%v: %s: intervals have %v, the recording %v", filter, row.Class, parts[k],
								row.Amount)
						}
					}
					if n := len(timeline.Intervals); n < 2 { // a busy recorder takes few snapshots
						t.Errorf("%d intervals in %v", n, p.Duration)
					}
				}
			})
		}
	})
}
