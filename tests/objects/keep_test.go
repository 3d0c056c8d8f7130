package objects_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestKept: a recording that gives up what is old can be read at any moment, also when the program or mallard is
// killed. It reaches back as far as was asked for, adds up from there on, and has the counts of all the time.
func TestKept(t *testing.T) {
	const keep = 2 * time.Second
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, end := range []string{"ends", "program killed", "mallard killed"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collectors[i]+" "+end, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "KeepsOn")
				command.Options = []string{"-XX:+Use" + collectors[i] + "GC", "-Xmx24m"}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--keep",
					keep.String())
				process := mallardtest.Spawn(t, jdk, command)
				process.Line()
				mallardtest.WaitUntil(t, file, func() bool {
					reading := heap.NewReading(false)
					return mallardtest.Read(t, file, reading).Kept != nil && reading.History().IsLate()
				})
				switch end {
				case "program killed":
					if err := unix.Kill(process.Child(), unix.SIGKILL); err != nil {
						t.Fatal(err)
					}
				case "mallard killed":
					process.Signal(syscall.SIGKILL)
				}
				output, _ := process.End()

				reading := heap.NewReading(false)
				p := mallardtest.Read(t, file, reading)
				history := reading.History()
				checkHeap(t, jdk, history)
				if !history.IsLate() || p.Kept == nil || p.Duration-history.Begin() < keep || len(p.Damage) > 0 {
					t.Errorf("late %v, %+v, from %v to %v, damage %v", history.IsLate(), p.Kept, history.Begin(),
						p.Duration, p.Damage)
				}
				if end == "ends" {
					compareKept(t, file, strings.TrimSpace(output))
				}
			})
		}
	})
}

// compareKept holds the answers of a whole recording to what the program says that it has made.
func compareKept(t *testing.T, file, made string) {
	t.Helper()
	for _, test := range []struct{ words, want string }{
		{"report --by class --class KeepsOn$Request --format csv", "KeepsOn$Request,," + made + ","},
		{"info", "\nKept        from "},
		{"heap", "\nKept        from "},
		{"heap --at 0.1s", "what came before was discarded: the heap is known from "},
		{"heap --diff start..end", "what came before was discarded"},
		{"heap --removed", "births before "},
	} {
		words := append([]string{mallardtest.Binary(t)}, strings.Fields(test.words)...)
		output := mallardtest.RunWords(t, t.TempDir(), nil, append(words, file)...)
		if said := output.Stdout + output.Stderr; !strings.Contains(said, test.want) {
			t.Errorf("%s: has no %q:\n%s", test.words, test.want, said)
		}
	}
}
