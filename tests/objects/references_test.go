package objects_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// reached runs a program, and gives what was recorded of its references.
func reached(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) (*heapgraph.Reached, *heap.History) {
	t.Helper()
	events := profile.Events{heap.Observer: nil}
	command, file := mallardtest.Profiled(t, command, "-q", "--track", "objects", "--references", "end")
	output := jdk.MustRun(t, command)
	p := mallardtest.Read(t, file, events)
	if output.ExitCode != 0 || !p.Complete || len(p.Losses) > 0 {
		t.Fatalf("exit code %d, complete %v, losses %v\n%s", output.ExitCode, p.Complete, p.Losses, output.Stderr)
	}
	history := heap.NewHistory(events[heap.Observer])
	g, err := heapgraph.New(events[heap.Observer], history, heapgraph.End)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Complete || g.Missing > 0 || g.Damaged > 0 {
		t.Errorf("complete %v, %d missing, %d damaged", g.Complete, g.Missing, g.Damaged)
	}
	return g.Reach(), history
}

// references are ways to keep references.
var references = []string{"-XX:+UseCompressedOops", "-XX:-UseCompressedOops"}

// TestReachable holds what is alive, by class, against a heap dump that the JVM writes right before its end, and
// against what the last walk has found.
func TestReachable(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, kept := range references {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+kept, func(t *testing.T) {
					folder := t.TempDir()
					command := mallardtest.Compiled(t, jdk, "Alive")
					command.Options = []string{"-Xmx256m", "-XX:+Use" + collector + "GC", kept,
						"-XX:+HeapDumpAfterFullGC", "-XX:HeapDumpPath=" + folder}
					command.Args = []string{"20000", "50000"}
					r, history := reached(t, jdk, command)
					dumps, _ := filepath.Glob(filepath.Join(folder, "*.hprof*"))
					if len(dumps) == 0 {
						t.Fatal("there is no heap dump")
					}
					compareReachable(t, readDump(t, slices.MaxFunc(dumps, func(a, b string) int {
						return len(a) - len(b)
					})), r, history)
				})
			}
		}
	})
}

// cleaned are classes of which a thread of the JDK's may have freed some behind the dump.
var cleaned = map[string]bool{"java.lang.invoke.MethodHandleNatives$CallSiteContext": true,
	"jdk.internal.ref.CleanerImpl$PhantomCleanableRef": true}

// compareReachable holds what is alive against a dump. That does not have what the fields of java.lang.Class refer to,
// nor classes that are not linked yet.
func compareReachable(t *testing.T, d *dump, r *heapgraph.Reached, history *heap.History) {
	t.Helper()
	want, elements := map[string]int64{}, map[string]int64{}
	for _, o := range d.reachable() {
		want[o.class]++
		elements[o.class] += int64(max(0, o.length))
	}
	more := map[string]int64{} // of which the dump may have less
	paths, _ := r.Paths(heap.Query{})
	for _, p := range paths {
		if strings.Contains(p.Way.String(), "java.lang.Class.") {
			more[history.Name(p.Class)] += p.Objects
		}
	}
	held := held(history, len(history.Pauses)-1)
	rows, _ := heapgraph.NewDominators(r).Retained(heap.Query{})
	for _, row := range rows {
		name := history.Name(row.Of)
		n := want[name]
		delete(want, name)
		switch {
		case name == "java.lang.Class" && row.Objects >= n, cleaned[name] && row.Objects <= n:
		case row.Objects < n || row.Objects > n+more[name]:
			t.Errorf("%s: %d are alive, the dump has %d", name, row.Objects, n)
		}
		if row.Objects > held[name].Objects || row.Bytes > held[name].Bytes {
			t.Errorf("%s: %v are alive, of %v that are held", name, row.Amount, held[name])
		}
		if size := held[name].Bytes / held[name].Objects; !strings.HasSuffix(name, "[]") && name != "java.lang.Class" &&
			row.Bytes != size*row.Objects {
			t.Errorf("%s: %v are alive, each of %d bytes", name, row.Amount, size)
		}
		if strings.HasPrefix(name, "Alive") && row.Objects == n && row.Objects != held[name].Objects {
			t.Errorf("%s: %d are alive, %d held", name, row.Objects, held[name].Objects)
		}
	}
	for name, n := range want {
		if !cleaned[name] {
			t.Errorf("%s: none is alive, the dump has %d", name, n)
		}
	}
}

// size gives what an array takes.
func size(elements, bytes int64) int64 { return (16 + elements*bytes + 7) / 8 * 8 }

// TestAlive has a program keep objects in ways that it knows: the way that is said is the one that a reader looks for,
// and what is retained what it has made.
func TestAlive(t *testing.T) {
	nodes, elements := int64(100_000), int64(30_000)
	if jvmtest.Long() {
		nodes, elements = 1_000_000, 300_000
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Alive")
				command.Options = []string{"-Xmx400m", "-XX:+Use" + collector + "GC"}
				command.Args = []string{strconv.FormatInt(nodes, 10), strconv.FormatInt(elements, 10)}
				r, history := reached(t, jdk, command)
				checkPaths(t, r, history, elements)
				checkRetained(t, heapgraph.NewDominators(r), history, nodes, elements)
			})
		}
	})
}

func checkPaths(t *testing.T, r *heapgraph.Reached, history *heap.History, elements int64) {
	t.Helper()
	for _, want := range []struct {
		class   string
		objects int64
		way     string // its end where it begins with "..."
	}{
		{"Cached", 1000, "static Alive.cache > java.util.HashMap.table[] > java.util.HashMap$Node.value"},
		{"Heard", 10, "static Alive.bus > Alive$Bus.listeners > java.util.concurrent.CopyOnWriteArrayList.array[] > " +
			"Alive$Window$1.this$0 > Alive$Window.heard"},
		{"OfClass", 2, "static Alive.plugins > java.util.ArrayList.elementData[] > Alive$Plugin.class > " +
			"Alive$Plugin.kept[]"},
		{"Loader", 1, "static Alive.plugins > java.util.ArrayList.elementData[] > Alive$Plugin.class > " +
			"java.lang.Class.classLoader"},
		{"OfThread", 1, "thread worker > java.lang.Thread.threadLocals > " +
			"java.lang.ThreadLocal$ThreadLocalMap.table[] > java.lang.ThreadLocal$ThreadLocalMap$Entry.value"},
		{"OfFrame", 1, "... of thread worker"},
		{"Shared", 1, "static Alive.one > Alive$One.of"},
		{"InArray", elements / 3, "static Alive.large[]"},
		{"OfSoft", 1, "static Alive.soft > java.lang.ref.SoftReference.referent"},
		{"BelowSoft", 1, "static Alive.soft > java.lang.ref.SoftReference.referent > Alive$OfSoft.below"},
		{"OfWeak", 0, ""},
	} {
		rows, _ := r.Paths(heap.Query{Class: "Alive$" + want.class})
		if want.objects == 0 {
			if len(rows) != 0 {
				t.Errorf("%s: %+v", want.class, rows)
			}
			continue
		}
		if len(rows) != 1 {
			t.Errorf("%s: %d ways, %+v", want.class, len(rows), rows)
			continue
		}
		soft := strings.HasSuffix(want.class, "Soft")
		end, partly := strings.CutPrefix(want.way, "...")
		way := rows[0].Way.String()
		if rows[0].Objects != want.objects || (rows[0].Strength == heapgraph.Soft) != soft ||
			!(way == want.way || partly && strings.HasPrefix(way, "local variable ") && strings.HasSuffix(way, end)) {
			t.Errorf("%s: %d objects, %s, %s", history.Name(rows[0].Class), rows[0].Objects, rows[0].Strength, way)
		}
	}
}

func checkRetained(t *testing.T, d *heapgraph.Dominators, history *heap.History, nodes, elements int64) {
	t.Helper()
	rows, _ := d.Retained(heap.Query{})
	got := map[string]heap.Amount{}
	for _, row := range rows {
		got[history.Name(row.Of)] = row.Retained
	}
	for class, want := range map[string]heap.Amount{
		"Alive$Node":           {Objects: nodes, Bytes: 16 * nodes},
		"java.util.LinkedList": {Objects: 1 + 2*1000, Bytes: 32 + 1000*(24+size(100, 1))},
		"Alive$One":            {Objects: 1, Bytes: 16}, // what it shares it does not retain
		"Alive$Shared":         {Objects: 1, Bytes: 16},
		"Alive$Window$1":       {Objects: 3 * 10, Bytes: 3 * 10 * 16},
	} {
		if got[class] != want {
			t.Errorf("%s retains %v, want %v", class, got[class], want)
		}
	}
	tops, _ := d.Tops(heap.Query{Top: 1})
	if top := tops[0]; top.Name != "Alive" || top.Retained.Bytes < 16*nodes+size(elements, 4)+16*elements/3 {
		t.Errorf("%q retains most: %v", top.Name, top.Retained)
	}
}

// TestReferencesWhileRunning looks at a program several times that keeps a thousand objects more at once, or none: it
// finds thousands at each moment, no fewer than at the one before, and at the end, if there was one, all. Walks of the
// heap in between are as exact as without.
func TestReferencesWhileRunning(t *testing.T) {
	const milliseconds = "3500"
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) && collector != "G1" {
				continue
			}
			killed := i == 0
			t.Run(collector, func(t *testing.T) {
				t.Parallel() // most of it is waiting
				command := mallardtest.Compiled(t, jdk, "Kept")
				command.Options = []string{"-Xmx128m", "-XX:+Use" + collector + "GC"}
				command.Args = []string{milliseconds}
				if killed {
					command.Args = append(command.Args, "killed")
				}
				command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--references",
					"1s")
				output := jdk.MustRun(t, command)
				lines := strings.Split(strings.TrimSpace(output.Stdout), "\n")
				thousands, err := strconv.ParseInt(lines[len(lines)-1], 10, 64)
				if err != nil {
					t.Fatalf("exit code %d\n%q\n%q", output.ExitCode, output.Stdout, output.Stderr)
				}
				events := profile.Events{heap.Observer: nil}
				p := mallardtest.Read(t, file, events)
				if len(p.Losses) > 0 && !killed {
					t.Errorf("losses %+v", p.Losses)
				}
				history := heap.NewHistory(events[heap.Observer])
				for _, v := range history.Check(jdk.Feature).Violations {
					t.Errorf("pause %d: %s", v.Pause, v.What)
				}
				checkThousands(t, events, history, thousands, killed)
			})
		}
	})
}

// checkThousands looks at each moment that has references, the last one first.
func checkThousands(t *testing.T, events profile.Events, history *heap.History, thousands int64, killed bool) {
	t.Helper()
	until, moments, later := heapgraph.End, 0, 1000*thousands
	for {
		g, err := heapgraph.New(events[heap.Observer], history, until)
		if err != nil {
			break
		}
		if !g.Complete || g.Missing > 0 || g.Damaged > 0 {
			t.Errorf("at %v: complete %v, %d missing, %d damaged", g.At, g.Complete, g.Missing, g.Damaged)
		}
		kept := map[string]int64{}
		rows, _ := g.Reach().Paths(heap.Query{Class: "Kept$*"})
		for _, row := range rows {
			if strings.HasPrefix(row.Way.String(), "static Kept.chunks") {
				kept[history.Name(row.Class)] += row.Objects
			}
		}
		n := kept["Kept$Item"]
		if n%1000 != 0 || n > later || kept["Kept$Part"] != n || kept["Kept$Chunk"] != n/1000 {
			t.Errorf("at %v, %d later: %v", g.At, later, kept)
		}
		if last := until == heapgraph.End && !killed; last && n != later {
			t.Errorf("%d are kept at the end, want %d", n, later)
		}
		moments, until, later = moments+1, g.At-1, n
	}
	if moments == 0 || moments == 1 && !killed {
		t.Errorf("%d moments have references", moments)
	}
}

// TestReferencesUnknown has an agent that does not find an entry of HotSpot's: it says so, and records all else.
func TestReferencesUnknown(t *testing.T) {
	agent := mallardtest.BuildAgent(t, `-DHOTSPOT_WITHHELD="Klass::_super"`)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		file := filepath.Join(t.TempDir(), "run.mallard")
		command := mallardtest.Compiled(t, jdk, "Alive")
		command.Options = []string{"-agentpath:" + agent + "=quiet,track=objects,references=end,file=" + file}
		command.Args = []string{"10", "10"}
		jdk.MustRun(t, command)
		events := profile.Events{heap.Observer: nil}
		p := mallardtest.Read(t, file, events)
		if len(p.Losses) != 1 || p.Losses[0].Detail != "this JVM's references are not as Mallard knows them" {
			t.Errorf("losses %+v", p.Losses)
		}
		history := heap.NewHistory(events[heap.Observer])
		if n := held(history, len(history.Pauses)-1)["Alive$Cached"].Objects; n != 1000 {
			t.Errorf("%d objects of 1000 are held", n)
		}
		if _, err := heapgraph.New(events[heap.Observer], history, heapgraph.End); err != heapgraph.ErrNone {
			t.Errorf("references: %v", err)
		}
	})
}

// TestVirtualThreads has objects that only the stacks of virtual threads refer to: stacks that a collection has moved,
// others, and maybe one that runs.
func TestVirtualThreads(t *testing.T) {
	const threads = 3000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if jdk.Feature < 21 {
			t.Skip("there are no virtual threads")
		}
		for i, collector := range collectors {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Parked")
				command.Options, command.Args = []string{"-XX:+Use" + collector + "GC"}, []string{strconv.Itoa(threads)}
				r, history := reached(t, jdk, command)
				objects := int64(0)
				paths, _ := r.Paths(heap.Query{Class: "Parked$Below"})
				for _, p := range paths {
					objects += p.Objects
				}
				first := paths[0].Way.String()
				const way = "local variable 0 in Parked.park of a virtual thread > Parked$Held.below"
				if objects != threads || len(paths) > 3 || !strings.HasPrefix(first, way) {
					t.Errorf("%d objects, %d paths, %s", objects, len(paths), first)
				}
				if n := held(history, len(history.Pauses)-1)["Parked$Held"].Objects; n != threads {
					t.Errorf("%d are held", n)
				}
			})
		}
	})
}

// TestWide has a class with so many fields that their names are too long for an event: its objects are there, and what
// they refer to.
func TestWide(t *testing.T) {
	const fields = 3000
	var source strings.Builder
	source.WriteString("public class Wide {\n\tstatic Wide kept = new Wide();\n\tstatic class Part {}\n")
	for i := range fields {
		fmt.Fprintf(&source, "\tObject aFieldWithAnUnusuallyLongName%d;\n", i)
	}
	source.WriteString("\tpublic static void main(String[] args) {\n")
	for _, i := range []int{0, fields - 1} {
		fmt.Fprintf(&source, "\t\tkept.aFieldWithAnUnusuallyLongName%d = new Part();\n", i)
	}
	source.WriteString("\t}\n}\n")
	file := mallardtest.Written(t, "Wide", source.String())
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, file)}, Main: "Wide"}
		r, _ := reached(t, jdk, command)
		paths, _ := r.Paths(heap.Query{Class: "Wide$Part"})
		objects := int64(0)
		for _, p := range paths {
			objects += p.Objects
			if !strings.HasPrefix(p.Way.String(), "static Wide.kept > Wide.") {
				t.Fatal(p.Way)
			}
		}
		if objects != 2 {
			t.Errorf("%d objects, want 2", objects)
		}
	})
}
