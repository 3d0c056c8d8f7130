// Package replicas_test holds what is recorded of copies against programs that know which of their objects are.
package replicas_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
	"mallard/internal/trace"
)

// copies is what is recorded of a site, or what a program knows of it.
type copies struct {
	objects, groups, largest int64
}

// recorded is a recording's answer, by site.
type recorded struct {
	answer  *replica.Answer
	totals  *replica.Totals
	history *heap.History
	counts  *heap.Counts
	output  jvmtest.Output
}

// record runs a program. Hashing may take as long as it does.
func record(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, flags ...string) recorded {
	t.Helper()
	reading, events := heap.NewReading(false), profile.Events{replica.Observer: nil}
	flags = append([]string{"-q", "--track", "replicas", "--replicas-pause", "0"}, flags...)
	command, file := mallardtest.Profiled(t, command, flags...)
	r := recorded{output: jdk.MustRun(t, command)}
	if r.output.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s", r.output.ExitCode, r.output.Stderr)
	}
	p := mallardtest.Read(t, file, reading, events)
	if !p.Complete || len(p.Losses) > 0 {
		t.Fatalf("complete %v, losses %v\n%s", p.Complete, p.Losses, r.output.Stderr)
	}
	if r.totals = replica.Read(events[replica.Observer]); r.totals == nil {
		t.Fatal("no totals of copies")
	}
	checkFillers(t, events[replica.Observer])
	r.totals.Choose(reading.History(), p)
	r.history = reading.History().BySites(p.Tagged)
	r.counts = heap.NewCounts(r.history, p)
	r.answer = r.totals.Ask(r.history, replica.Query{})
	if r.answer.Lost > 0 || r.answer.Incomplete > 0 {
		t.Errorf("%d lost, %d incomplete", r.answer.Lost, r.answer.Incomplete)
	}
	return r
}

// checkFillers: what the JVM fills unused memory with is not looked at. Its array is one of numbers by its layout, of
// references by its name, and has in it what was there before.
func checkFillers(t *testing.T, events []*trace.Events) {
	t.Helper()
	for _, record := range events {
		for kind, data := range record.All() {
			if kind == abi.EventReplicaClass && strings.Contains(string(data[abi.ReplicaClassName:]), "Filler") {
				t.Fatalf("%s was looked at", data[abi.ReplicaClassName:])
			}
		}
	}
}

// planted is the program that knows what are copies.
func planted(t *testing.T, jdk jvmtest.JDK, objects int, order string, options ...string) jvmtest.Command {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Planted")
	command.Options = append(options, "-Xmx64m")
	command.Args = []string{fmt.Sprint(threads), fmt.Sprint(objects), order}
	return command
}

// threads make the objects of Planted.java.
const threads = 2

// row is that of what a kind of Planted.java makes.
func (r *recorded) row(t *testing.T, kind string) *replica.Row {
	t.Helper()
	class := classOf[strings.TrimRight(kind, "0123456789")]
	for i, row := range r.answer.Rows {
		if site := r.counts.Site(row.Class); site != nil && site.Method == kind && r.history.Name(row.Class) == class {
			return &r.answer.Rows[i]
		}
	}
	t.Fatalf("%s: no row", kind)
	return nil
}

// printed is what Planted.java knows, by kind.
func (r *recorded) printed(t *testing.T) map[string]copies {
	t.Helper()
	known := map[string]copies{}
	for line := range strings.Lines(r.output.Stdout) {
		var kind string
		var c copies
		if _, err := fmt.Sscan(line, &kind, &c.objects, &c.groups, &c.largest); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		known[kind] = c
	}
	if len(known) < 16 {
		t.Fatalf("%d kinds", len(known))
	}
	return known
}

// few objects of each kind and thread make fewer groups than are kept.
const few = 1500

// classOf are the classes of what the kinds of Planted.java make, by the beginning of their names.
var classOf = map[string]string{"fields": "Planted$Fields", "inherits": "Planted$Inherits", "ints": "int[]",
	"element": "byte[]", "lengths": "byte[]", "mutated": "Planted$Mutated", "refers": "Planted$Refers",
	"elements": "java.lang.Object[]", "strings": "java.lang.String", "keeps": "Planted$Kept"}

// heaps are options that make heaps of all kinds.
var heaps = [][]string{
	{"-XX:+UseSerialGC", "-Xmn6m"},
	{"-XX:+UseParallelGC", "-Xmn8m"},
	{"-XX:+UseG1GC", "-Xmn6m", "-XX:G1HeapRegionSize=1m"},
	{"-XX:+UseParallelGC", "-Xmn8m", "-XX:-UseCompressedOops"},
	{"-XX:+UseG1GC", "-Xmn6m", "-Xint"},
}

// TestPlanted: objects, groups and the largest group of each site are those that the program knows. A walk that
// interrupts a thread may find one of its objects while it is being made: with other contents, or without its site.
func TestPlanted(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range heaps {
			for k, order := range []string{"shuffled", "runs"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(strings.Join(options, " ")+" "+order, func(t *testing.T) {
					r := record(t, jdk, planted(t, jdk, few, order, options...))
					checkPlanted(t, r, func(string, copies) *copies { return nil })
					checkLives(t, r)
				})
			}
		}
	})
}

// TestDeep: what objects refer to is compared by contents as well.
func TestDeep(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		r := record(t, jdk, planted(t, jdk, few, "shuffled", "-XX:+UseSerialGC", "-Xmn6m"), "--deep", "1")
		checkPlanted(t, r, func(kind string, known copies) *copies {
			switch kind {
			case "strings90":
				return &known
			case "refers90": // all refer to an object without fields
				return &copies{known.objects, 1, known.objects}
			case "elements65":
				return &copies{known.objects, 2, known.largest}
			}
			return nil
		})
		if r.answer.Depth != 1 {
			t.Errorf("depth %d is said", r.answer.Depth)
		}
	})
}

// checkPlanted holds rows against what the program has printed, but where a test knows better.
func checkPlanted(t *testing.T, r recorded, known func(kind string, printed copies) *copies) {
	t.Helper()
	if r.answer.Walks < 4 || r.answer.Skipped > 0 {
		t.Errorf("%d walks, %d left out, are nothing to check", r.answer.Walks, r.answer.Skipped)
	}
	tolerance := r.answer.Walks * threads
	for kind, want := range r.printed(t) {
		if better := known(kind, want); better != nil {
			want = *better
		} else if kind == "strings90" { // each has an array of its own
			want.groups, want.largest = want.objects, 1
		}
		row := r.row(t, kind)
		got := copies{row.Hashed.Objects, row.Groups, row.Largest}
		short := want.objects - got.objects
		// an object that is found half made may look like a copy: a null is where another object is to be
		isNear := short >= 0 && short <= tolerance &&
			max(got.largest-want.largest, want.largest-got.largest) <= tolerance &&
			max(got.groups-want.groups, want.groups-got.groups) <= tolerance
		if !isNear || row.Estimated || row.Unknown > tolerance {
			t.Errorf("%s: %+v, want %+v, give or take %d; estimated %v, unknown %d", kind, got, want, tolerance,
				row.Estimated, row.Unknown)
		}
	}
}

// checkLives: copies that live and those that die young are ranked apart.
func checkLives(t *testing.T, r recorded) {
	t.Helper()
	first := func(s replica.Sort) string {
		for _, row := range r.totals.Ask(r.history, replica.Query{Sort: s, Class: "Planted$*"}).Rows {
			return r.history.Name(row.Class)
		}
		return ""
	}
	if kept := r.row(t, "keeps90"); kept.DiedSoon() > 0.1 || first(replica.SortLong) != "Planted$Kept" {
		t.Errorf("%.2f of what is kept died young; of what lives long %s is first", kept.DiedSoon(),
			first(replica.SortLong))
	}
	if young := r.row(t, "fields100"); young.DiedSoon() < 0.9 || first(replica.SortYoung) != "Planted$Fields" {
		t.Errorf("%.2f of what is dropped died young; %s is first", young.DiedSoon(), first(replica.SortYoung))
	}
}

// TestEstimated: of sites with more contents than are kept the number is known within some percent, and the largest
// group nearly to the object.
func TestEstimated(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := planted(t, jdk, 40_000, "shuffled", "-XX:+UseParallelGC")
		command.Options = append(command.Options, "-Xmx300m", "-Xmn150m") // many of each kind in a walk
		r := record(t, jdk, command)
		estimated := 0
		for kind, want := range r.printed(t) {
			if kind == "strings90" {
				want.groups, want.largest = want.objects, 1
			}
			row := r.row(t, kind)
			if row.Estimated {
				estimated++
			}
			off := max(row.Groups-want.groups, want.groups-row.Groups)
			short := want.largest - row.Largest
			// what a walk interrupts while it is made, one for each thread, may be equal to others then
			if off > want.objects/20 || short < -threads*int64(r.answer.Walks) || short > want.objects/500 {
				t.Errorf("%s: %d groups, the largest has %d, want %+v", kind, row.Groups, row.Largest, want)
			}
			if want.groups < abi.ReplicaDistinct && row.Estimated {
				t.Errorf("%s: %d groups are estimated", kind, want.groups)
			}
		}
		if estimated < 5 {
			t.Errorf("%d sites are estimated", estimated)
		}
	})
}

// TestPause: where hashing takes longer than it may, collections are left out, and that is said.
func TestPause(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		r := record(t, jdk, planted(t, jdk, few, "runs", "-XX:+UseSerialGC", "-Xmn6m"), "--replicas-pause", "1ns")
		if r.answer.Walks != 2 || r.answer.Skipped < 2 { // the first, and the last, which nobody waits for
			t.Errorf("%d walks were hashed, %d left out", r.answer.Walks, r.answer.Skipped)
		}
		if row := r.row(t, "fields100"); row.Groups != 1 || row.Hashed.Objects >= threads*few {
			t.Errorf("%+v", row)
		}
	})
}

// TestSanitized: the agent reads and writes nothing but what it may, and leaves a heap that HotSpot finds in order.
func TestSanitized(t *testing.T) {
	agent, environment := mallardtest.SanitizedAgent(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Serial", "Parallel", "G1"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			file := filepath.Join(t.TempDir(), "run.mallard")
			command := planted(t, jdk, few, "shuffled", "-XX:+Use"+collector+"GC", "-Xmn8m",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC",
				"-agentpath:"+agent+"=track=replicas,deep=3,show-values,quiet,file="+file)
			command.Env = environment
			if output := jdk.MustRun(t, command); output.ExitCode != 0 {
				t.Fatalf("%s: exit code %d\n%.5000s", collector, output.ExitCode, output.Stderr)
			}
			events := profile.Events{replica.Observer: nil}
			p := mallardtest.Read(t, file, events)
			if totals := replica.Read(events[replica.Observer]); !p.Complete || totals == nil || totals.Walks < 2 {
				t.Errorf("%s: complete %v, %+v", collector, p.Complete, totals)
			}
		}
	})
}

// TestContexts: rows are told apart by context, in which objects know where they were made.
func TestContexts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		r := record(t, jdk, planted(t, jdk, few, "shuffled", "-XX:+UseG1GC", "-Xmn6m"), "--track", "contexts,replicas")
		checkPlanted(t, r, func(string, copies) *copies { return nil })
	})
}
