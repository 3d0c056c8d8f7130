package lifecycle_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
// the middle and the last time. Where the recording says of nothing that it is missing, all is counted.
func TestRefusals(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, way := range refusing {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			list := filepath.Join(t.TempDir(), "calls")
			want := refuse(t, jdk, way.flags, way.options, refusal{"0", 0, 0, list})
			if len(want) < 5 {
				t.Fatalf("nothing is refused, and so much is counted: %v", want)
			}
			compare := func(r refusal) {
				have := refuse(t, jdk, way.flags, way.options, r)
				if diff := cmp.Diff(want, have); have != nil && diff != "" {
					t.Errorf("%v, %+v: objects by site (-counted +now):\n%s", way.flags, r, diff)
				}
			}
			calls := readCalls(t, list)
			if len(calls) < 30 {
				t.Fatalf("there are %d calls only", len(calls))
			}
			for _, c := range calls {
				if !tried[c.offset] || jvmtest.Long() {
					compare(refusal{c.offset, 1, math.MaxInt, os.DevNull})
				}
				tried[c.offset] = true
				for _, time := range []int{1, c.times / 2, c.times} {
					if jvmtest.Long() && time > 0 && c.times > 1 {
						compare(refusal{c.offset, time, time, os.DevNull})
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
			want := refuse(t, jdk, way.flags, way.options, refusal{"0", 0, 0, os.DevNull})
			have := refuse(t, jdk, way.flags, way.options, refusal{"sockets", 0, 0, os.DevNull})
			if diff := cmp.Diff(want, have); diff != "" || len(want) < 5 {
				t.Errorf("%v: objects by site (-counted +disturbed):\n%s", way.flags, diff)
			}
		}
	})
}

// refuse runs a program that does something of everything, and gives how many objects each of its sites has made; nil
// where Mallard says that something is missing.
func refuse(t *testing.T, jdk jvmtest.JDK, flags, options []string, r refusal) map[string]int64 {
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
	if len(words) > 0 {
		return nil
	}
	p := mallardtest.Read(t, file)
	if !p.Complete || len(p.Losses) > 0 {
		return nil
	}
	objects := map[string]int64{}
	for _, site := range p.Sites {
		if strings.HasPrefix(site.Class, "Endings") {
			at := fmt.Sprintf("%s.%s:%d makes %s", site.Class, site.Method, site.Line, site.Type)
			objects[at] += site.Amount.Objects
		}
	}
	return objects
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
