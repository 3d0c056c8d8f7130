// Package replicas_test holds what is recorded of copies against programs that know which of their objects are.
package replicas_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// copies is what is recorded of a site, or what a program knows of it.
type copies struct {
	objects, groups, largest int64
}

// recorded is a recording's answer, by site.
type recorded struct {
	answer  *replica.Answer
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
	totals := replica.Read(events[replica.Observer])
	if totals == nil {
		t.Fatal("no totals of copies")
	}
	r.history = reading.History().BySites(p.Tagged)
	r.counts = heap.NewCounts(r.history, p)
	r.answer = totals.Ask(r.history, replica.Query{})
	if r.answer.Lost > 0 || r.answer.Incomplete > 0 || r.answer.Skipped > 0 {
		t.Errorf("%d lost, %d incomplete, %d left out", r.answer.Lost, r.answer.Incomplete, r.answer.Skipped)
	}
	return r
}

// row is that of a class whose objects a method makes; nil: there is none.
func (r *recorded) row(method, class string) *replica.Row {
	for i, row := range r.answer.Rows {
		if site := r.counts.Site(row.Class); site != nil && site.Method == method && r.history.Name(row.Class) == class {
			return &r.answer.Rows[i]
		}
	}
	return nil
}

// classOf are the classes of what the kinds of Planted.java make, by the beginning of their names.
var classOf = map[string]string{"fields": "Planted$Fields", "inherits": "Planted$Inherits", "ints": "int[]",
	"element": "byte[]", "lengths": "byte[]", "mutated": "Planted$Mutated", "refers": "Planted$Refers",
	"elements": "java.lang.Object[]", "strings": "java.lang.String"}

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
	const threads, n = 2, 1500
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range heaps {
			for k, order := range []string{"shuffled", "runs"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(strings.Join(options, " ")+" "+order, func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Planted")
					command.Options = append(options, "-Xmx64m")
					command.Args = []string{fmt.Sprint(threads), fmt.Sprint(n), order}
					checkPlanted(t, record(t, jdk, command), threads, func(string, copies) *copies { return nil })
				})
			}
		}
	})
}

// TestDeep: what objects refer to is compared by contents as well.
func TestDeep(t *testing.T) {
	const threads, n = 2, 1500
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Planted")
		command.Options = []string{"-XX:+UseSerialGC", "-Xmn6m", "-Xmx64m"}
		command.Args = []string{fmt.Sprint(threads), fmt.Sprint(n), "shuffled"}
		r := record(t, jdk, command, "--deep", "1")
		checkPlanted(t, r, threads, func(kind string, known copies) *copies {
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
func checkPlanted(t *testing.T, r recorded, threads int64, known func(kind string, printed copies) *copies) {
	t.Helper()
	if r.answer.Walks < 4 {
		t.Errorf("%d walks are nothing to check", r.answer.Walks)
	}
	tolerance := r.answer.Walks * threads
	kinds := 0
	for line := range strings.Lines(r.output.Stdout) {
		var kind string
		var want copies
		if _, err := fmt.Sscan(line, &kind, &want.objects, &want.groups, &want.largest); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		kinds++
		if better := known(kind, want); better != nil {
			want = *better
		} else if kind == "strings90" { // each has an array of its own
			want.groups, want.largest = want.objects, 1
		}
		row := r.row(kind, classOf[strings.TrimRight(kind, "0123456789")])
		if row == nil {
			t.Errorf("%s: no row", kind)
			continue
		}
		got := copies{row.Hashed.Objects, row.Groups, row.Largest}
		short := want.objects - got.objects
		isNear := short >= 0 && short <= tolerance && got.largest <= want.largest &&
			want.largest-got.largest <= tolerance && max(got.groups-want.groups, want.groups-got.groups) <= tolerance
		if !isNear || row.Estimated || row.Unknown > tolerance {
			t.Errorf("%s: %+v, want %+v, give or take %d; estimated %v, unknown %d", kind, got, want, tolerance,
				row.Estimated, row.Unknown)
		}
		t.Logf("%s: %+v, short of %d; %d walks, unknown %d", kind, got, short, r.answer.Walks, row.Unknown)
	}
	if kinds < 15 {
		t.Errorf("%d kinds", kinds)
	}
}
