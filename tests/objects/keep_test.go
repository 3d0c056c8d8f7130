package objects_test

import (
	"fmt"
	"maps"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/heap"
	"mallard/internal/heap/single"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
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
				process := spawnKept(t, jdk, command, file)
				output := endKept(t, process, end)

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

// spawnKept runs a program until its recording has given something up.
func spawnKept(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, file string) *mallardtest.Process {
	t.Helper()
	process := mallardtest.Spawn(t, jdk, command)
	process.Line()
	mallardtest.WaitUntil(t, file, func() bool {
		reading := heap.NewReading(false)
		return mallardtest.Read(t, file, reading).Kept != nil && reading.History().IsLate()
	})
	return process
}

// endKept ends it, and gives what it has printed last.
func endKept(t *testing.T, process *mallardtest.Process, how string) string {
	t.Helper()
	switch how {
	case "program killed":
		if err := unix.Kill(process.Child(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
	case "mallard killed":
		process.Signal(syscall.SIGKILL)
	}
	output, _ := process.End()
	return output
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

// TestKeptSingles: with single objects too, what a full collection has left behind the keyframe is, object by object,
// what the program says that it has, also when the program or mallard is killed, and all adds up. A machine that is
// very busy may have given up all that the program has said, or lost the last of it: then it runs again.
func TestKeptSingles(t *testing.T) {
	const runs = 3
	if jvmtest.RaceDetector() {
		t.Skip("the recorder does not keep up, and all that the program says is given up")
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, end := range []string{"ends", "program killed", "mallard killed"} {
			t.Run(collectors[i]+" "+end, func(t *testing.T) {
				for range runs {
					if file, said := runKeptSingles(t, jdk, collectors[i], end); compareNodes(t, jdk, file, said) > 0 {
						return
					}
				}
				t.Errorf("nothing of what the program says was left in any of %d runs", runs)
			})
		}
	})
}

// runKeptSingles has the program say three times what it has, behind the keyframe.
func runKeptSingles(t *testing.T, jdk jvmtest.JDK, collector, end string) (file string, said []saidNodes) {
	t.Helper()
	const keep = 4 * time.Second
	command := mallardtest.Compiled(t, jdk, "KeepsEach")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx24m"}
	command, file = mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--each-object", "--keep",
		keep.String())
	process := spawnKept(t, jdk, command, file)
	for range 3 {
		now := saidNodes{asked: time.Now()}
		process.Write("\n")
		now.nodes, now.answered = nodesSaid(process.Line()), time.Now()
		said = append(said, now)
		mallardtest.WaitUntil(t, file, func() bool {
			reading := heap.NewReading(false)
			p := mallardtest.Read(t, file, reading)
			return now.isIn(p, reading.History()) != notYet
		})
	}
	endKept(t, process, end)
	return file, said
}

// saidNodes are what a program says that it has: the methods that have made its nodes, by their hashes.
type saidNodes struct {
	asked, answered time.Time // it has collected all garbage in between
	nodes           map[string]string
}

func nodesSaid(line string) map[string]string {
	nodes := map[string]string{}
	for _, word := range strings.Fields(strings.TrimPrefix(line, "nodes")) {
		hash, method, _ := strings.Cut(word, ":")
		nodes[hash] = method
	}
	return nodes
}

// whether a recording has the pause of an answer.
type hasPause int

const (
	hasIt hasPause = iota
	notYet
	noMore
)

func (s *saidNodes) isIn(p *profile.Profile, history *heap.History) hasPause {
	at := func(since time.Duration) time.Time { return time.Unix(0, p.Process.Started).Add(since) }
	switch n := len(history.Pauses); {
	case n == 0 || !at(history.Pauses[n-1].Start).After(s.answered):
		return notYet
	case at(history.Begin()).After(s.asked):
		return noMore
	}
	return hasIt
}

// leftNodes are the nodes that a pause has left.
type leftNodes struct {
	named    map[string]string // as saidNodes has them
	nameless map[string]int    // those that share their hash with another object, by methods
	older    int               // than the recording
}

func nodesAt(t *testing.T, history *heap.History, pause int) leftNodes {
	t.Helper()
	answer, err := history.Objects(pause, heap.Query{Class: "KeepsEach$Node", By: []heap.By{heap.BySite}})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Missing.Objects != 0 {
		t.Errorf("pause %d: %+v is missing", pause, answer.Missing)
	}
	left, nameless := leftNodes{named: map[string]string{}, nameless: map[string]int{}}, int64(0)
	for i := range answer.Rows {
		o, method := &answer.Rows[i], "nobody"
		if site := history.Site(heap.Class(o.Class)); site != nil {
			method = site.Method
		}
		if o.Hash() == 0 {
			left.nameless[method]++
			nameless++
		} else {
			left.named[fmt.Sprintf("%x", o.Hash())] = method
		}
		if o.Born == single.Earlier {
			left.older++
		}
	}
	if nameless > answer.Gaps.Shared {
		t.Errorf("pause %d: %d nodes have no hash, %d objects share one", pause, nameless, answer.Gaps.Shared)
	}
	return left
}

// differ says how they differ from what a program says, of whose hashes few are shared: it takes those of a thread from
// a series that is the same in each run, of which some are those of nodes, whenever these are walked; the longer that
// takes, the more. Empty: they do not.
func (l *leftNodes) differ(said map[string]string) string {
	nameless, missing, others := maps.Clone(l.nameless), 0, 0
	for hash, method := range said {
		switch got, is := l.named[hash]; {
		case is && got != method:
			others++
		case !is:
			nameless[method]--
			missing++
		}
	}
	for method, n := range nameless {
		if n == 0 {
			delete(nameless, method)
		}
	}
	if others == 0 && len(nameless) == 0 && len(l.named)+missing == len(said) && missing <= len(said)/50 {
		return ""
	}
	return fmt.Sprintf("of %d nodes %d have another method and %d no hash; %d have hashes, more or fewer without: %v",
		len(said), others, missing, len(l.named), nameless)
}

// momentOf is the pause that has left all of some nodes and no others; false: none is known, and is told.
func momentOf(t *testing.T, history *heap.History, want map[string]string) (leftNodes, bool) {
	t.Helper()
	var differ []string
	for i := len(history.Pauses) - 1; i >= 0; i-- {
		if p := &history.Pauses[i]; p.Collected != heap.Everything || p.Ended {
			continue
		}
		left := nodesAt(t, history, i)
		how := left.differ(want)
		if how == "" {
			return left, true
		}
		differ = append(differ, fmt.Sprintf("pause %d: %s", i, how))
	}
	t.Log(strings.Join(differ, "\n"))
	return leftNodes{}, false
}

// compareNodes holds what a recording has kept against what the program has said, and tells how much of that is there.
func compareNodes(t *testing.T, jdk jvmtest.JDK, file string, said []saidNodes) (there int) {
	t.Helper()
	reading := heap.NewReading(false)
	p := mallardtest.Read(t, file, reading)
	history := reading.History().BySites(p.Tagged)
	for _, v := range history.Check(jdk.Feature).Violations {
		t.Errorf("pause %d: %s", v.Pause, v.What)
	}
	if !history.IsLate() || history.Damaged > 0 {
		t.Errorf("late %v, %d damaged", history.IsLate(), history.Damaged)
	}
	olderThan := 0
	for i := range said {
		if said[i].isIn(p, history) != hasIt {
			continue
		}
		there++
		left, is := momentOf(t, history, said[i].nodes)
		if !is {
			t.Errorf("no pause has left what the program says: answer %d", i)
			continue
		}
		olderThan += left.older
		if len(left.nameless) > 0 {
			t.Logf("answer %d: nodes that share their hash: %v", i, left.nameless)
		}
	}
	t.Logf("%d of %d answers are there, %d of their nodes are older than the recording", there, len(said), olderThan)
	if olderThan < 1000*there { // half of the nodes are the first ones
		t.Error("that is too few")
	}
	for _, question := range []string{"--objects --top 3", "--premature", "--lifetimes", "--check"} {
		words := append([]string{mallardtest.Binary(t), "heap"}, strings.Fields(question)...)
		output := mallardtest.RunWords(t, t.TempDir(), nil, append(words, file)...)
		if output.ExitCode != 0 || !strings.Contains(output.Stdout, "\nKept        from ") {
			t.Errorf("%s: exit code %d\n%s%s", question, output.ExitCode, output.Stdout, output.Stderr)
		}
	}
	return there
}
