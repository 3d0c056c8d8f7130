package objects_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/heap/single"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
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
