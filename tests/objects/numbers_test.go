package objects_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

var logged = regexp.MustCompile(`GC\((\d+)\) Pause (Young|Full)`)

// TestNumbers holds the numbers of collections, and what they collected, against the JVM's log.
func TestNumbers(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			t.Run(collector, func(t *testing.T) {
				log := filepath.Join(t.TempDir(), "gc.log")
				command := mallardtest.Compiled(t, jdk, "Born")
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx64m", "-Xlog:gc:file=" + log}
				command.Args = []string{"2", "10"}
				history, _ := recordedHeap(t, jdk, command)
				text, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				collections := 0
				for _, line := range logged.FindAllStringSubmatch(string(text), -1) {
					number, err := strconv.ParseInt(line[1], 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					pause, err := history.After(number)
					if err != nil {
						t.Errorf("%s: %v", line[0], err)
						continue
					}
					want := map[string]heap.Collected{"Young": heap.Young, "Full": heap.Everything}[line[2]]
					if got := history.Pauses[pause].Collected; got != want && got != heap.Everything {
						t.Errorf("%s: %v was collected", line[0], got)
					}
					collections++
				}
				if collections < 2 {
					t.Errorf("%d collections are nothing to compare", collections)
				}
			})
		}
	})
}
