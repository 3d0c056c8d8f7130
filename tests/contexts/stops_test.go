package contexts_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// stopPlaces are where threads of the program Stops stop, and the method of VirtualThread in which they yield there;
// none: a monitor stops them, since JDK 24.
var stopPlaces = map[string]string{
	"sleeps": "parkNanos", "parks": "park", "takes": "park", "yields": "tryYield", "waits": "",
}

// TestStopsInContexts: what the JVM takes for the stack of a virtual thread that stops is counted in the context in
// which it yields, and nowhere else; where a monitor stops it, without a context; and all of it is.
func TestStopsInContexts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if jdk.Feature < 21 {
			return // there are no virtual threads
		}
		const times = 300
		command := mallardtest.Compiled(t, jdk, "Stops")
		command.Args = []string{fmt.Sprint(times)}
		command.Args = append(command.Args, slices.Sorted(maps.Keys(stopPlaces))...)
		command.Options = []string{"-XX:-DoEscapeAnalysis"}
		for _, representation := range []string{"hashed", "tree", "encoded"} {
			t.Run(representation, func(t *testing.T) {
				t.Parallel()
				output, p := mallardtest.Record(t, jdk, command, "--track", "contexts", "--contexts", representation)
				if output.Stdout != "done\n" || output.Stderr != "" || output.ExitCode != 0 || !p.Complete {
					t.Errorf("exit code %d, %s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				for _, loss := range p.Losses {
					if loss.Kind != "callers" || jdk.Feature >= 24 { // JDK 21 unparks as its carrier
						t.Errorf("lost: %+v", loss)
					}
				}
				compareStops(t, p, times, jdk.Feature >= 24)
				// What the JVM makes for itself, when it loads classes, has no site; and nothing is counted that was
				// not made.
				const few, own = 64 << 10, 1 << 20
				if r := p.Reconciliation; r.Unattributed > own || r.EscapeAnalysis > few {
					t.Errorf("of all bytes %d have no site, and %d are too many", r.Unattributed, r.EscapeAnalysis)
				}
			})
		}
	})
}

// compareStops compares how many stacks of stopped threads were put anywhere, by place and depth, with what the program
// does: a thread that parks or yields stops once, others at least once. What a monitor stops deep down has yielded once
// before.
func compareStops(t *testing.T, p *profile.Profile, times int64, monitors bool) {
	t.Helper()
	got := stops(t, p)
	for place, method := range stopPlaces {
		for _, depth := range []int{0, 3, 40} {
			at := stop{place, depth, method}
			once := place == "parks" || place == "yields"
			if n := got[at]; method != "" && (n < times || once && n > times) {
				t.Errorf("%+v: %d stacks, want %d", at, n, times)
			}
			delete(got, at)
		}
	}
	before := stop{"", -1, "tryYield"}
	if n := got[before]; n != 3*times {
		t.Errorf("%d stacks of threads that yield before a monitor stops them, want %d", n, 3*times)
	}
	least, most := times, 9*times // those deep down, where they enter the monitor; or each where it waits, and after
	if !monitors {
		least, most = 0, 0
	}
	if n := got[stop{}]; n < least || n > most {
		t.Errorf("%d stacks of threads that monitors have stopped, want %d to %d", n, least, most)
	}
	delete(got, before)
	delete(got, stop{})
	for at, n := range got {
		t.Errorf("%+v: %d stacks, want none", at, n)
	}
}

// A stop is where threads stop: in which method of the program, how many calls of down are around that, and in which of
// VirtualThread; nothing where that is not known.
type stop struct {
	place  string
	depth  int
	method string
}

// stops is what a recording says of how many stacks were put anywhere.
func stops(t *testing.T, p *profile.Profile) map[stop]int64 {
	t.Helper()
	got := map[stop]int64{}
	for _, thread := range p.Threads {
		for _, cell := range thread.Cells {
			site := &p.Sites[cell.Site]
			if site.Type != "jdk.internal.vm.StackChunk" || cell.Amount.Objects == 0 {
				continue
			}
			if least := 64 * cell.Amount.Objects; cell.Amount.Bytes < least { // without a stack
				t.Errorf("%s.%s has %d stacks of %d bytes", site.Class, site.Method, cell.Amount.Objects,
					cell.Amount.Bytes)
			}
			if site.Class == "jdk.internal.vm.Continuation" && site.Method == "unmount" {
				got[stop{}] += cell.Amount.Objects
				continue
			}
			at := stop{depth: -1, method: site.Method}
			stack := p.Stack(site, cell.Context)
			for _, f := range stack {
				switch name := f.Method.Name; {
				case f.Method.Class != "Stops":
				case name == "down":
					at.depth++
				case at.place == "" && !strings.Contains(name, "$"):
					at.place = name
				}
			}
			if first := stack[len(stack)-1].Method; first.Class != "java.lang.VirtualThread" || first.Name != "run" ||
				site.Class != "java.lang.VirtualThread" || site.Line <= 0 {
				t.Errorf("%s.%s:%d has stacks, called by %v", site.Class, site.Method, site.Line, stack)
			}
			got[at] += cell.Amount.Objects
		}
	}
	return got
}
