package objects_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestDeduplicated has the JVM let strings share their contents while they are recorded: the log says that it did, and
// what is left is what the JVM's histogram has. JDK 17 does so with G1 only.
func TestDeduplicated(t *testing.T) {
	const strings = 20_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			if jdk.Feature < 18 && collector != "G1" {
				continue
			}
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Duplicates")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xmn6m", noDead,
					"-XX:+UseStringDeduplication", "-XX:StringDeduplicationAgeThreshold=1",
					"--add-opens", "java.base/java.lang=ALL-UNNAMED"}
				command.Args = []string{strconv.Itoa(strings)}
				log := withLog(t, &command, "stringdedup*=debug")
				history, p, output := recordedBoth(t, jdk, command)
				var shared int
				if n, _ := fmt.Sscanf(output.Stdout, "%d share their contents", &shared); n != 1 {
					t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				if n := deduplicated(log()); n < strings/2 || shared < strings/2 {
					t.Errorf("%d strings share their contents, %d by the JVM's log", shared, n)
				}
				checkHeap(t, jdk, history)
				compareHistogram(t, history, output.Stdout)
				missing := int64(len(history.Pauses))
				checkSite(t, history.BySites(p.Tagged), "java.lang.String", "make", strings, missing, strings)
			})
		}
	})
}

// deduplicated gives how many strings the JVM's log says have been given others' contents.
func deduplicated(log string) (all int) {
	for line := range strings.Lines(log) {
		if _, text, found := strings.Cut(line, " Deduplicated:"); found {
			n := 0
			_, _ = fmt.Sscanf(text, "%d(", &n)
			all = max(all, n) // of one time, or of all until then
		}
	}
	return all
}

// TestCrammed has young collections find no room for what lives in the old generation, by the JVM's log. Births, and
// what is held behind them, are the program's. TestCrowded has the like with G1.
func TestCrammed(t *testing.T) {
	const rounds, objects = 3, 70_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range []string{"Serial", "Parallel"} {
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Crams")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xms32m", "-Xmx32m", "-Xmn12m", noDead,
					"-XX:-UseAdaptiveSizePolicy"}
				command.Args = []string{strconv.Itoa(rounds), strconv.Itoa(objects)}
				log := withLog(t, &command)
				history, _, output := recordedBoth(t, jdk, command)
				if output.ExitCode != 0 {
					t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				text := log()
				if !strings.Contains(text, "Promotion failed") || !strings.Contains(text, "Pause Full (") {
					t.Errorf("there was room always:\n%s", text)
				}
				checkHeap(t, jdk, history)
				if n := born(t, history)["Crams$Wave"].Objects; n != rounds*objects {
					t.Errorf("%d were born, want %d", n, rounds*objects)
				}
				if left := held(history, len(history.Pauses)-1); left["Crams$Wave"].Objects != 0 {
					t.Errorf("%v are held", left["Crams$Wave"])
				}
			})
		}
	})
}

// TestFailedIdentities: where young collections find no room, what is left of objects that they have copied has no
// identity, though its header looks as if, and no object loses its own to it: each has the identity hash that the
// program says.
func TestFailedIdentities(t *testing.T) {
	const objects = 70_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range []string{"Serial", "Parallel"} {
			t.Run(collector, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Crams")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xms32m", "-Xmx32m", "-Xmn12m",
					"-XX:-UseAdaptiveSizePolicy"}
				command.Args = []string{"1", strconv.Itoa(objects), "held"}
				log := withLog(t, &command)
				history, _, output := recordedBoth(t, jdk, command, "--each-object")
				if text := log(); output.ExitCode != 0 || !strings.Contains(text, "Promotion failed") {
					t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stderr, text)
				}
				checkHeap(t, jdk, history)
				hashes := map[string]int{}
				for line := range strings.Lines(output.Stdout) {
					if hash, is := strings.CutPrefix(strings.TrimSpace(line), "hash "); is {
						hashes[hash]++
					}
				}
				end, err := history.End()
				if err != nil {
					t.Fatal(err)
				}
				answer, err := history.Objects(end, heap.Query{Class: "Crams$Wave", By: []heap.By{heap.ByClass}})
				if err != nil {
					t.Fatal(err)
				}
				nameless := 0
				for i := range answer.Rows {
					o := &answer.Rows[i]
					if o.Order == 0 {
						nameless++
					} else if hash := fmt.Sprintf("%x", o.Hash()); hashes[hash] == 0 {
						t.Errorf("no object has the hash %s", hash)
					} else {
						hashes[hash]--
					}
				}
				g := answer.Gaps
				// until JDK 17 there is no walk between the young collection and the full one that follows
				if answer.Count != objects || nameless > 0 || g.Failed+g.Shared > 0 ||
					jdk.Feature == 25 && (g.Remains == 0 || g.Late+g.Unordered > g.Remains/10) {
					t.Errorf("%d of %d, %d without identity, %+v", answer.Count, objects, nameless, g)
				}
			})
		}
	})
}
