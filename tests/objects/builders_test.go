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

// TestBuilders: builders of strings are born where they were counted, each of them, and C2 does without them as it did:
// interpreted there are as many as the program makes, compiled nearly none.
func TestBuilders(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range collectors {
			for k, mode := range []string{"-Xmixed", "-Xint"} {
				if jvmtest.IsTurn(t, jdk, i+k) {
					t.Run(collector+" "+mode, func(t *testing.T) { testBuilders(t, jdk, collector, mode) })
				}
			}
		}
	})
}

func testBuilders(t *testing.T, jdk jvmtest.JDK, collector, mode string) {
	rounds, interpreted := int64(300_000), mode == "-Xint"
	if interpreted {
		rounds = 30_000
	}
	command := mallardtest.Compiled(t, jdk, "Builders")
	command.Options = []string{"-Xmx64m", "-Xmn2m", "-XX:+Use" + collector + "GC", mode}
	command.Args = []string{strconv.FormatInt(rounds, 10)}
	history, p, _ := recordedBoth(t, jdk, command)
	checkHeap(t, jdk, history)
	answer, err := history.BySites(p.Tagged).Removed(p, heap.Query{Class: "java.lang.StringBu*",
		By: []heap.By{heap.BySite}})
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]int64{}
	for _, c := range answer.Rows {
		if c.Made == nil {
			continue
		}
		site, n := fmt.Sprintf("%s %s.%s", c.Name, c.Made.Class, c.Made.Method), c.Counted.Objects
		counted[site] += n
		if n -= c.Born.Objects; n < 0 || n > answer.Unsited.Objects {
			t.Errorf("%s: %d counted, %d born, %d born nobody knows where", site, c.Counted.Objects, c.Born.Objects,
				answer.Unsited.Objects)
		}
	}
	for site, want := range map[string]int64{"java.lang.StringBuilder Builders.first": 2 * rounds,
		"java.lang.StringBuffer Builders.second": rounds, "java.lang.StringBuilder Builders.both": rounds,
		"java.lang.StringBuilder Builders.other": rounds / 10} {
		got, method := counted[site], site[strings.LastIndexByte(site, '.')+1:]
		if replaced := !interpreted && (method == "first" || method == "second"); !replaced && got != want {
			t.Errorf("%s: %d, want %d", site, got, want)
		} else if replaced && (got == 0 || got > want/4*3) {
			t.Errorf("%s: C2 left %d of %d", site, got, want)
		}
	}
	if answer.Unsited.Objects > int64(len(history.Pauses))*3+1000 {
		t.Errorf("of %d builders %d have no site", answer.Born.Objects, answer.Unsited.Objects)
	}
}
