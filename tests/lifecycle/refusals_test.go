package lifecycle_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// refusing are ways to record, each of which has calls of its own, on JDKs in turn.
var refusing = []struct{ flags, options []string }{
	{[]string{"--track", "objects", "--references", "end"}, []string{"-XX:TieredStopAtLevel=1", "-XX:+UseG1GC"}},
	{[]string{"--track", "contexts"}, []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}},
	{[]string{"--track", "replicas", "--replicas", "both", "--sampling-pause", "0"},
		[]string{"-XX:TieredStopAtLevel=1", "-XX:+UseParallelGC"}},
}

// call is one of the C library's functions, called at one place of the agent.
type call struct {
	function, offset string
	times            int
}

// refusal is a run in which what the agent calls is refused.
type refusal struct {
	site        string // an offset, or "sockets"; "0" is none
	first, last int
	list        string // file for all calls
}

// TestRefusals runs a program in which the agent gets no memory, no thread, no descriptor or nothing through its
// socket, at one of its calls after the other: the program prints what it prints without Mallard, and ends as it does.
// In short runs a call is refused always; in the long ones, and with each way to record, also once, the first time, in
// the middle and the last time.
func TestRefusals(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, way := range refusing {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			list := filepath.Join(t.TempDir(), "calls")
			none := refusal{"0", 0, 0, list}
			if said := refuse(t, jdk, way.flags, way.options, none); said != "" {
				t.Fatalf("nothing is refused, and it says %s", said)
			}
			calls := readCalls(t, list)
			if len(calls) < 30 {
				t.Fatalf("there are %d calls only", len(calls))
			}
			for _, c := range calls {
				if !tried[c.offset] || jvmtest.Long() {
					refuse(t, jdk, way.flags, way.options, refusal{c.offset, 1, math.MaxInt, os.DevNull})
				}
				tried[c.offset] = true
				for _, time := range []int{1, c.times / 2, c.times} {
					if jvmtest.Long() && time > 0 && c.times > 1 {
						refuse(t, jdk, way.flags, way.options, refusal{c.offset, time, time, os.DevNull})
					}
				}
			}
		}
	})
}

// TestDisturbedSockets interrupts what the agent sends and receives, and cuts it into single bytes: nothing is lost.
func TestDisturbedSockets(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, way := range refusing {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			if said := refuse(t, jdk, way.flags, way.options, refusal{"sockets", 0, 0, os.DevNull}); said != "" {
				t.Errorf("%v: it says %s", way.flags, said)
			}
		}
	})
}

// refuse runs a program that does something of everything, and gives what Mallard says. Where that is nothing the
// recording is whole.
func refuse(t *testing.T, jdk jvmtest.JDK, flags, options []string, r refusal) (said string) {
	t.Helper()
	library, err := jvmtest.Executable([]string{"-shared", "-fPIC"}, mallardtest.Source(t, "refuse.c"))
	if err != nil {
		t.Fatal(err)
	}
	command := mallardtest.Compiled(t, jdk, "Endings")
	command.Args = []string{"busy"}
	command.Options = options
	command.Env = []string{"LD_PRELOAD=" + library, "REFUSE_SITE=" + r.site, fmt.Sprint("REFUSE_FIRST=", r.first),
		fmt.Sprint("REFUSE_LAST=", r.last), "REFUSE_LIST=" + r.list}
	command, file := mallardtest.Recorded(t, command, flags...)
	output := jdk.MustRun(t, command)
	words := mallardtest.Messages(output.Stderr)
	if output.Stdout != "worked\n" || output.ExitCode != 3 || len(words) != strings.Count(output.Stderr, "\n") {
		t.Errorf("%v, %+v: exit code %d, prints\n%s%s", flags, r, output.ExitCode, output.Stdout, output.Stderr)
	}
	if r.site == "sockets" {
		if n := mallardtest.Objects(t, file, "Endings", "Endings$Marker"); n != 2 ||
			!mallardtest.Read(t, file).Complete {
			t.Errorf("%v: %d objects, complete %v", flags, n, mallardtest.Read(t, file).Complete)
		}
	}
	return strings.Join(words, "\n")
}

// readCalls reads the list that the library writes.
func readCalls(t *testing.T, path string) (calls []call) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c call
		if _, err := fmt.Sscan(lines.Text(), &c.function, &c.offset, &c.times); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	return calls
}
