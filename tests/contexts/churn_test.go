package contexts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestThreadsComeAndGo has thousands of threads, some at a time, which all use the same few trees. What each made, in
// which context, is known exactly, and there is memory for the trees of a fraction of them.
func TestThreadsComeAndGo(t *testing.T) {
	const threads, atATime, memory = 3000, 4, 16
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "ThreadChurn")
		for _, representation := range []string{"hashed", "tree", "encoded"} {
			for _, kind := range []string{"platform", "virtual"} {
				if kind == "virtual" && jdk.Feature < 21 {
					continue
				}
				oldest := jvmtest.JDKs(t)[0].Home
				if kind == "platform" && representation != "hashed" && jdk.Home != oldest && !jvmtest.Long() {
					continue // each representation is on each JDK, and with either kind of threads
				}
				t.Run(representation+"/"+kind, func(t *testing.T) {
					t.Parallel()
					command := command
					command.Args = []string{fmt.Sprint(threads), fmt.Sprint(atATime)}
					if kind == "virtual" {
						command.Args = append(command.Args, kind)
					}
					output, p := mallardtest.Record(t, jdk, command, "--track", "contexts", "--contexts",
						representation,
						"--context-memory", fmt.Sprint(memory))
					if output.Stdout != "done\n" || output.Stderr != "" || output.ExitCode != 0 {
						t.Errorf("exit code %d, %s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					for _, loss := range p.Losses {
						t.Errorf("lost: %+v", loss)
					}
					want, got := expectedCounts(threads, kind == "virtual"), made(p, kind == "virtual")
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("what threads made, in each context: -want +got:\n%.3000s", diff)
					}
				})
			}
		}
	})
}

// expectedCounts is what the program says that its threads make: by thread, unless they are virtual, and context.
func expectedCounts(threads int, virtual bool) map[string]int64 {
	want := map[string]int64{}
	for i := range threads {
		thread := fmt.Sprintf("thread %d", i)
		if virtual {
			thread = ""
		}
		want[thread+" make left work"] += int64(3 + i%7)
		want[thread+" make right work"] += int64(2 + i%5)
		want[thread+strings.Repeat(" down", i%32+1)+" work"]++
	}
	return want
}

// made is what a recording says of them.
func made(p *profile.Profile, virtual bool) map[string]int64 {
	got := map[string]int64{}
	for _, thread := range p.Threads {
		name := thread.Name
		if virtual {
			name = ""
		}
		for _, cell := range thread.Cells {
			site := &p.Sites[cell.Site]
			if site.Class != "ThreadChurn" || site.Method != "make" && site.Method != "down" ||
				cell.Amount.Objects == 0 {
				continue
			}
			context := name
			for _, f := range p.Stack(site, cell.Context) {
				if f.Method.Class == "ThreadChurn" && !strings.Contains(f.Method.Name, "$") {
					context += " " + f.Method.Name
				}
			}
			got[context] += cell.Amount.Objects
		}
	}
	return got
}
