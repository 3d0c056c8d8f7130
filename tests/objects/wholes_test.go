package objects_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestWholes: at each walk what was read is held against each region, or space, and each allocation buffer by itself.
// There are as many regions as the JVM's log says, and no fewer buffers than threads wait in the middle of one.
func TestWholes(t *testing.T) {
	const threads, rounds = 40, 12
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			for _, how := range [][]string{nil, {"--each-object"}} {
				t.Run(fmt.Sprint(collector, how), func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Buffered")
					command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx160m", "-Xmn24m"}
					command.Args = []string{strconv.Itoa(threads), strconv.Itoa(rounds)}
					log := withLog(t, &command)
					history, p, output := recordedBoth(t, jdk, command, how...)
					if output.Stdout != fmt.Sprintln(threads, "threads") || len(p.Losses) > 0 {
						t.Fatalf("exit code %d, losses %+v\n%s%s", output.ExitCode, p.Losses, output.Stdout,
							output.Stderr)
					}
					checkHeap(t, jdk, history)
					checkBuffers(t, history, threads, rounds)
					if collector == "G1" {
						checkRegions(t, history, log(), rounds)
						return
					}
					const spaces = 4
					for i, pause := range history.Pauses {
						if pause.Regions != (heap.Wholes{Compared: spaces}) {
							t.Errorf("pause %d: spaces %+v", i, pause.Regions)
						}
					}
				})
			}
		}
	})
}

// checkBuffers: so many threads are in the middle of their buffers at the first pause of each round. There are more of
// the JVM's, and main's.
func checkBuffers(t *testing.T, history *heap.History, threads, rounds int64) {
	t.Helper()
	const others, perRound = 20, 4 // pauses
	full := int64(0)
	for i, pause := range history.Pauses {
		if pause.Buffers.Other > 0 || pause.Buffers.Compared > threads+others {
			t.Errorf("pause %d: buffers %+v", i, pause.Buffers)
		}
		if pause.Buffers.Compared >= threads {
			full++
		}
	}
	if full < rounds || full > perRound*rounds {
		t.Errorf("there were %d pauses of %d in which all threads had buffers, want %d", full, len(history.Pauses),
			rounds)
	}
}

// regionsLogged is what G1 logs of its regions, where a pause moves objects.
var regionsLogged = regexp.MustCompile(`GC\((\d+)\) (?:Eden|Survivor|Old|Archive|Humongous) regions: (\d+)->`)

// checkRegions: in each collection that the JVM's log has there were as many regions as it says.
func checkRegions(t *testing.T, history *heap.History, log string, rounds int) {
	t.Helper()
	want, compared := map[int64]int64{}, 0
	for _, line := range regionsLogged.FindAllStringSubmatch(log, -1) {
		collection, _ := strconv.ParseInt(line[1], 10, 64)
		regions, _ := strconv.ParseInt(line[2], 10, 64)
		want[collection] += regions
	}
	for i, pause := range history.Pauses {
		regions, logged := want[pause.Collection]
		if logged && pause.Regions != (heap.Wholes{Compared: regions}) {
			t.Errorf("pause %d: regions %+v, the log says %d", i, pause.Regions, regions)
		}
		if logged {
			compared++
		}
	}
	if compared < rounds {
		t.Errorf("%d collections are in the log\n%s", compared, log)
	}
}
