package contexts_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestUnloadedContexts has thousands of loaders, one after the other, whose classes allocate in two threads and are
// unloaded. What each class made, called by whom, is known exactly, and there is memory for the contexts of a fraction
// of them: later classes have the nodes of earlier ones.
func TestUnloadedContexts(t *testing.T) {
	t.Parallel()
	const perStep, steps = 300, 20
	jdks := jvmtest.JDKs(t)
	for i, c := range []struct {
		representation string
		memory         int // MB; if nothing were used again, more would be needed
	}{{"hashed", 10}, {"tree", 14}, {"encoded", 10}} {
		jdk := jdks[i%len(jdks)]
		t.Run(c.representation+"/"+jdk.String(), func(t *testing.T) {
			t.Parallel()
			command := mallardtest.Compiled(t, jdk, "Loaders")
			command.Args = []string{fmt.Sprint(perStep), fmt.Sprint(steps)}
			profile := unloading(t, jdk, command, perStep, steps, c.memory, "--contexts", c.representation)
			if diff := cmp.Diff(loaded(perStep*steps, steps), madeByLoaded(profile)); diff != "" {
				t.Errorf("what classes made, and who had called: -want +got:\n%s", diff)
			}
		})
	}
}

// unloading records a program that has loaders come and go, so many in each step, with so many MB for contexts, which
// suffice. However busy the machine is, the next step begins when what the steps before the last have left can be used
// again: the JVM's agent tells of loaders that are gone when the next class is loaded.
func unloading(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, perStep, steps, memory int,
	options ...string) *profile.Profile {
	t.Helper()
	command.Options = append(jvmtest.ShortRun(), "-Xmx64m", "-XX:MaxMetaspaceSize=64m")
	command, file := mallardtest.Profiled(t, command, append([]string{"-q", "--track", "contexts",
		"--context-memory", fmt.Sprint(memory), "--snapshots", "100ms"}, options...)...)
	p := mallardtest.Spawn(t, jdk, command)
	p.Line()
	unloadings := unloadings{file: file, gone: map[trace.ClassID]bool{}}
	for step := range steps - 1 {
		mallardtest.WaitUntil(t, file, func() bool { return unloadings.have(t, perStep*step-fewLoaders) })
		p.Step()
	}
	if output, exit := p.End(); exit != 0 || p.Stderr.Len() > 0 {
		t.Errorf("exit code %d: %s%s", exit, output, p.Stderr.String())
	}
	recorded := mallardtest.Read(t, file)
	for _, l := range recorded.Losses {
		if l.Kind != "unattributed" { // thousands of class mirrors
			t.Errorf("loss %v", l)
		}
	}
	return recorded
}

// fewLoaders is of how many the threads may still hold something at the end of a step.
const fewLoaders = 20

// unloadings is what a recording says of classes that are gone, while it is written.
type unloadings struct {
	file    string
	reader  *trace.Reader // nil before it is opened
	gone    map[trace.ClassID]bool
	goneAts []int // how many were, each time that contexts had been recorded
}

// have reports whether so many classes are gone, and contexts have been recorded twice since: the first time may have
// begun before.
func (u *unloadings) have(t *testing.T, classes int) bool {
	if u.reader == nil {
		f, err := os.Open(u.file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		u.reader = trace.NewTailReader(f)
	}
	for {
		r, err := u.reader.Next()
		if err != nil {
			break // at the end of what is written
		}
		switch r := r.(type) {
		case *trace.Retired:
			u.gone[r.Class] = true
		case *trace.ContextTotals:
			u.goneAts = append(u.goneAts, len(u.gone))
		}
	}
	n := len(u.goneAts)
	return n >= 2 && u.goneAts[n-2] >= classes
}

// loaded is what the program says that the classes of its loaders make in each of two threads. In the other thread all
// numbers are odd.
func loaded(all, steps int) map[string]int64 {
	want := map[string]int64{}
	perStep := all / steps
	for i := range perStep {
		kind, n := "Loaders$Small", int64(steps)
		if i%3 == 0 {
			kind = "Loaders$Large"
		}
		for _, caller := range []string{"Loaders.main", "Loaders$Other.run"} {
			add := func(class string, n int64) { want[caller+" "+kind+" "+class] += n }
			add("int[]", n)
			odd := caller != "Loaders.main" || i%2 != 0
			if kind == "Loaders$Small" {
				add("java.lang.Object[]", n)
				if odd {
					add("java.lang.Integer[]", n)
				} else {
					add("java.lang.String[]", n)
				}
				continue
			}
			add("byte[]", 3*n)
			if odd {
				add("short[]", 3*n)
			} else {
				add("char[]", 3*n)
			}
		}
	}
	return want
}

// madeByLoaded is what a recording says of them; arrays of constants, which the class's initialiser makes, left out.
func madeByLoaded(p *profile.Profile) map[string]int64 {
	got := map[string]int64{}
	for _, thread := range p.Threads {
		for _, cell := range thread.Cells {
			site := &p.Sites[cell.Site]
			if site.Method != "applyAsInt" || cell.Amount.Objects == 0 {
				continue
			}
			caller := "unknown"
			if stack := p.Stack(site, cell.Context); len(stack) > 1 {
				caller = stack[1].Method.Class + "." + stack[1].Method.Name
			}
			got[caller+" "+site.Class+" "+site.Type] += cell.Amount.Objects
		}
	}
	return got
}
