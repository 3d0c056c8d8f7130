package lifecycle_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestTop: what a running program allocates is seen while it runs, found by its process, and all of it at its end.
func TestTop(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "-q")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		mallardtest.WaitUntil(t, file, func() bool { return mallardtest.Objects(t, file, "Steps", "int[]") > 0 })
		pid := strconv.Itoa(p.Child())
		top := func(name string) string {
			out, err := exec.Command(mallardtest.Binary(t), "top", "--window", "1m", "--method", "Steps.*", name).
				CombinedOutput()
			if err != nil {
				t.Fatalf("top %s: %v\n%s", name, err, out)
			}
			return string(out)
		}
		running := top(pid)
		for _, part := range []string{"Program     Steps", "Now ", " objects/s", "int[]", "Steps.work(Steps.java:"} {
			if !strings.Contains(running, part) {
				t.Errorf("no %q while it runs:\n%s", part, running)
			}
		}
		for _, question := range [][]string{{"report", pid, "--class", "int[]"}, {"source", pid, "Steps.work"},
			{"diff", pid, "--", pid}, {"info", pid}} {
			out, err := exec.Command(mallardtest.Binary(t), question...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Steps") {
				t.Errorf("%v while it runs: %v\n%s", question, err, out)
			}
		}
		p.End()
		if ended := top(file); !strings.Contains(ended, "int[]") {
			t.Errorf("at the end:\n%s", ended)
		}
		if out, err := exec.Command(mallardtest.Binary(t), "top", pid).CombinedOutput(); err == nil {
			t.Errorf("of a process that has ended:\n%s", out)
		}
	})
}

// TestTopHeap: classes in the heap of a running program, what each line of its code causes, and its collections are
// what the program and the JVM's log say.
func TestTopHeap(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		log := filepath.Join(t.TempDir(), "gc.log")
		command := mallardtest.Compiled(t, jdk, "Grows")
		command.Options = []string{"-XX:+UseSerialGC", "-Xmx100m", "-Xmn50m", "-XX:MetaspaceSize=64m",
			"-Xlog:gc:file=" + log + ":tags"}
		command, file := mallardtest.Profiled(t, command, "-q", "--track", "contexts,objects,gc")
		p := mallardtest.Spawn(t, jdk, command)
		const steps = 3
		for range steps {
			p.Step()
		}
		top := func(flags ...string) string {
			out, err := exec.Command(mallardtest.Binary(t), append([]string{"top", "--window", "1h", file},
				flags...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("top %v: %v\n%s", flags, err, out)
			}
			return string(out)
		}
		heap := func() string { return top("--heap", "--sort", "growth", "--class", "Grows*") }
		// the last collection's result is known at the next one
		last := fmt.Sprintf("after gc:%d (full)", steps-2)
		mallardtest.WaitUntil(t, file, func() bool { return strings.Contains(heap(), last) })
		row := regexp.MustCompile(`\n +2,000 +32,000 +100.0 +\+1,000 +\+(16|24),000 +Grows\$Kept\n`)
		if text := heap(); !row.MatchString(strings.ReplaceAll(text, "48,000", "32,000")) {
			t.Errorf("no 2,000 objects, of which 1,000 are new:\n%s", text)
		}
		p.End()

		r := mallardtest.Read(t, file)
		text := top("--mine", "Grows*", "--class", "Grows$Kept") // made in a method that the JDK calls
		rate := fmt.Sprintf("%.0f", steps*1000/r.Seconds())
		for line, self := range map[string]string{"grow(Grows.java:13)": "0", "Maker.apply(Grows.java:19)": rate} {
			row := regexp.MustCompile(`\n *([0-9,]+) +[0-9,]+ +[0-9.]+ +([0-9,]+) .*` + regexp.QuoteMeta(line)).
				FindStringSubmatch(text)
			plain := strings.NewReplacer(",", "")
			if row == nil || plain.Replace(row[1]) != rate || plain.Replace(row[2]) != self {
				t.Errorf("not %s objects by the second of %s, %s by itself:\n%s", rate, line, self, text)
			}
		}
		logged, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		pauses := regexp.MustCompile(`Pause Full \(System.gc\(\)\) (\d+)M->(\d+)M.* [0-9.]+ms`).
			FindAllStringSubmatch(string(logged), -1)
		said := regexp.MustCompile(`\nCollections (\d+), .*; last [0-9:]+, full, System.gc\(\): ` +
			`heap ([0-9.]+) MiB before, ([0-9.]+) MiB after\n`).FindStringSubmatch(text)
		if said == nil || len(pauses) != steps || said[1] != strconv.Itoa(steps) {
			t.Fatalf("the JVM says\n%s\n%s", logged, text)
		}
		isLogged := func(logged string, mb float64) { // in whole MB
			t.Helper()
			if want, _ := strconv.ParseFloat(logged, 64); mb < want-0.1 || mb > want+1.1 {
				t.Errorf("%v MiB, the JVM says %s:\n%s", mb, logged, text)
			}
		}
		for i, logged := range pauses[steps-1][1:] {
			mb, _ := strconv.ParseFloat(said[i+2], 64)
			isLogged(logged, mb)
		}
		collected, address := viewedCollections(t, file)
		if len(collected) != steps {
			t.Fatalf("the page has %+v, the JVM says\n%s", collected, logged)
		}
		for i, c := range collected {
			if c.Kind != "full" || c.Cause != "System.gc()" || c.Pause <= 0 {
				t.Fatalf("the page has %+v, the JVM says\n%s", collected, logged)
			}
			isLogged(pauses[i][1], c.Before/(1<<20))
			isLogged(pauses[i][2], c.After/(1<<20))
		}
		moment := string(page(t, fmt.Sprintf("%sheap?from=%v&to=%v", address, collected[0].At, collected[1].At+1e-3)))
		if want := `"moment":"after gc:1 (full)`; !strings.Contains(moment, want) {
			t.Errorf("no %s in the page of the heap", want)
		}
	})
}

// collection is one on the timeline of a page.
type collection struct {
	At, Pause, Before, After float64
	Kind, Cause              string
}

// viewedCollections are those that the page of a recording shows.
func viewedCollections(t *testing.T, file string) (list []collection, address string) {
	t.Helper()
	_, address = viewing(t, file)
	var timeline struct {
		Ready       bool
		Collections []collection
	}
	for deadline := time.Now().Add(time.Minute); !timeline.Ready; time.Sleep(10 * time.Millisecond) {
		if err := json.Unmarshal(page(t, address+"timeline"), &timeline); err != nil || time.Now().After(deadline) {
			t.Fatalf("no timeline: %v", err)
		}
	}
	return timeline.Collections, address
}
