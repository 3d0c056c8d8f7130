package objects_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/heap/single"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// TestSingles holds single objects against a program that knows the hashes, sizes and sites of some of its own, and
// against sums.
func TestSingles(t *testing.T) {
	const rounds = 300_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			for i, options := range heaps[collector] {
				if !jvmtest.IsTurn(t, jdk, i) {
					continue
				}
				t.Run(collector+" "+strings.Join(options, " "), func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Single")
					command.Options = append(options, "-XX:+Use"+collector+"GC")
					command.Args = []string{fmt.Sprint(rounds)}
					history, p, output := recordedBoth(t, jdk, command, "--each-object")
					if !strings.HasSuffix(output.Stdout, "\n0 hashes have changed\n") {
						t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					checkHeap(t, jdk, history)
					checkAsked(t, history.BySites(p.Tagged), output.Stdout)
				})
			}
		}
	})
}

// checkAsked finds the objects whose hashes the program has asked for.
func checkAsked(t *testing.T, history *heap.History, stdout string) {
	t.Helper()
	end, err := history.End()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := history.Objects(end, heap.Query{By: []heap.By{heap.BySite}})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Missing.Objects != 0 {
		t.Errorf("%d objects are missing", answer.Missing.Objects)
	}
	byHash := map[string]*single.Object{}
	unordered := 0
	for i := range answer.Rows {
		if o := &answer.Rows[i]; o.Order != 0 {
			byHash[fmt.Sprintf("%x", o.Hash())] = o
		} else {
			unordered++
		}
	}
	classes := map[string]string{"node": "Single$Node", "wide": "Single$Wide", "ints": "int[]"}
	asked, found, moved := 0, 0, 0
	for line := range strings.Lines(stdout) {
		var hash, method string
		var length int64
		if n, _ := fmt.Sscanf(line, "asked %s %s %d", &hash, &method, &length); n != 3 {
			continue
		}
		asked++
		o := byHash[hash]
		if o == nil {
			t.Logf("%s of %s is not there", hash, method)
			continue
		}
		found++
		if o.Moves > 0 {
			moved++
		}
		class := heap.Class(o.Class)
		bytes := map[string]int64{"node": 16, "wide": 48, "ints": (16 + 4*length + 7) / 8 * 8}[method]
		site := history.Site(class)
		if history.Name(class) != classes[method] || site == nil || site.Method != method || o.Bytes() < bytes ||
			o.Bytes() > bytes+8 {
			t.Errorf("%s is %s of %d bytes, made by %+v, want %s of %d bytes, made by %s", hash, history.Name(class),
				o.Bytes(), site, classes[method], bytes, method)
		}
	}
	t.Logf("%d objects, %d asked, %d found, %d moved, %d without an order, %d of unknown birth", answer.Count, asked,
		found, moved, unordered, answer.Unknown)
	// two objects may have one hash, if the program has asked for it before a collection
	if asked < 150 || found < asked-1 || moved < asked/2 || unordered > answer.Count/1000+20 {
		t.Errorf("of %d hashes there are %d, %d of objects that were moved; %d of %d objects have no order", asked,
			found, moved, unordered, answer.Count)
	}
}

// TestFullRing: where events come while nobody reads them, births go without addresses when three eighths of the ring
// are full, and single objects are left out when half of it is, which are losses that say how many, and when. Sums are
// whole, the program waits for nothing, and when some collections have found the ring empty again, and one has looked
// at all objects, each that is alive is known. Where nothing was left out each is known all the time, but for places.
func TestFullRing(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if jvmtest.IsTurn(t, jdk, i) {
				t.Run("addresses "+collector, func(t *testing.T) {
					testFullRing(t, jdk, collector, 40_000_000, false)
				})
			}
		}
		t.Run("objects", func(t *testing.T) { testFullRing(t, jdk, "Serial", 10_000_000, true) })
	})
}

func testFullRing(t *testing.T, jdk jvmtest.JDK, collector string, arrays int64, leavesOut bool) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Floods")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xmn32m"}
	if command.Args = []string{fmt.Sprint(arrays)}; leavesOut { // hashes take most room
		command.Args = append(command.Args, "hashed")
	}
	command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--each-object")
	process := mallardtest.Spawn(t, jdk, command)
	process.Line()
	process.Stop()
	process.Write("\n")
	process.Line()
	process.Continue()
	process.Write("\n")
	collections, err := strconv.Atoi(process.Line())
	if err != nil {
		t.Fatal(err)
	}
	mallardtest.WaitUntil(t, file, func() bool { // what they told has been read
		events := profile.Events{heap.Observer: nil}
		mallardtest.Read(t, file, events)
		return len(heap.NewHistory(events[heap.Observer]).Pauses) >= collections
	})
	process.Write("\n")
	kept := arrays/1_000 + 100
	if output, exit := process.End(); exit != 0 || output != fmt.Sprintln(kept) {
		t.Errorf("exit code %d\n%s%s", exit, output, process.Stderr.String())
	}
	events := profile.Events{heap.Observer: nil}
	p := mallardtest.Read(t, file, events)
	history := heap.NewHistory(events[heap.Observer])
	checkHeap(t, jdk, history)
	unplaced, leftOut := lossOf(p, "without the address"), lossOf(p, "left out of a walk")
	t.Logf("%d without addresses, %d left out", unplaced, leftOut)
	if unplaced < arrays/50 || (leftOut >= arrays/10) != leavesOut || !leavesOut && leftOut > 0 {
		t.Errorf("of %d, %d are without addresses, and %d were left out: %+v", arrays, unplaced, leftOut, p.Losses)
	}
	end, err := history.End()
	if err != nil {
		t.Fatal(err)
	}
	drop := heap.Query{Class: "Floods$Drop", By: []heap.By{heap.ByClass}}
	if got := history.Diff(heap.Start, end, drop).Selected.Born.Objects; got != kept {
		t.Errorf("%d were born", got)
	}
	answer, err := history.Objects(end, drop)
	if err != nil {
		t.Fatal(err)
	}
	if int64(answer.Count) != kept || answer.Missing.Objects != 0 {
		t.Errorf("%d objects are known, and %d are not, of %d", answer.Count, answer.Missing.Objects, kept)
	}
	if leavesOut {
		return
	}
	orders := map[uint32]bool{}
	for _, o := range answer.Rows {
		if orders[o.Order] = true; o.Born < 0 || o.Address == 0 {
			t.Fatalf("%+v", o)
		}
	}
	if int64(len(orders)) != kept || answer.Gaps.Unplaced != unplaced {
		t.Errorf("%d identities of %d; %d without addresses", len(orders), kept, answer.Gaps.Unplaced)
	}
}

// lossOf is how many a loss with some words is of; 0 without such a loss.
func lossOf(p *profile.Profile, words string) int64 {
	isIt := func(l trace.Loss) bool { return strings.Contains(l.Detail, words) }
	if i := slices.IndexFunc(p.Losses, isIt); i >= 0 {
		return int64(p.Losses[i].Count)
	}
	return 0
}
