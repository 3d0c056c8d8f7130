package events

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mallard/internal/jvmtest"
)

// TestCollections produces events inside the callbacks of garbage collection, in a JVM with each collector: records
// are whole and in order, and with those that are said to be lost they are as many as there were collections. The
// large ring has room for all of them.
func TestCollections(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range []string{"Serial", "Parallel", "G1"} {
			for name, bytes := range map[string]int{"small": MinRing, "large": 16 << 20} {
				t.Run(collector+" "+name, func(t *testing.T) {
					collections(t, jdk, bytes, "-XX:+Use"+collector+"GC")
				})
			}
		}
	})
}

func collections(t *testing.T, jdk jvmtest.JDK, bytes int, option string) {
	m, file := newMemory(t, Ring{Bytes: bytes, Levels: 2})
	var got, lost counts
	next := [3]uint64{}
	handler := func(e Event) {
		n, blocks := binary.LittleEndian.Uint64(e.Data), uint64(1)
		which := e.Kind - FirstKind
		if which == 1 {
			blocks = 16
			if rest := strings.Trim(string(e.Data[8:]), string([]byte{byte(n)})); rest != "" {
				t.Errorf("block of collection %d is % x", n, e.Data[:16])
			}
		}
		if n < next[which]/blocks {
			t.Errorf("record of collection %d behind %d", n, next[which]/blocks)
		}
		next[which] = max(next[which]+1, n*blocks)
		got[e.Kind]++
	}
	handlers := map[Kind]Handler{FirstKind: handler, FirstKind + 1: handler, FirstKind + 2: handler}
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	reading.Go(func() {
		NewReader(m, handlers, func(l Loss) {
			if l.Reason != "" {
				t.Error(l.Reason)
			}
			for _, c := range l.Counts {
				lost[c.Kind] += c.Records
			}
		}).Run(ctx)
	})
	output := jdk.MustRun(t, jvmtest.Command{
		Options: []string{
			option, "-Xmx64m", "-Xmn8m",
			fmt.Sprintf("-agentpath:%s=/proc/%d/fd/%d", collectionsAgent(t, jdk), os.Getpid(), file.Fd()),
		},
		Classpath: []string{jdk.MustJavac(t, nil, filepath.Join("testdata", "Collections.java"))},
		Main:      "Collections",
		Args:      []string{"6000"},
	})
	cancel()
	reading.Wait()
	var started, finished uint64
	if _, err := fmt.Sscanf(output.Stdout, "done\n%d %d", &started, &finished); err != nil || output.ExitCode != 0 {
		t.Fatalf("%v, exit code %d\n%s%s", err, output.ExitCode, output.Stdout, output.Stderr)
	}
	t.Logf("%d collections, lost %v", finished, lost[FirstKind:FirstKind+3])
	want := counts{FirstKind: started, FirstKind + 1: 16 * finished, FirstKind + 2: finished}
	for k := range got {
		got[k] += lost[k]
	}
	if got != want || finished < 50 || bytes > MinRing && lost != (counts{}) {
		t.Errorf("%v read or lost, want %v; lost %v", got[FirstKind:FirstKind+3], want[FirstKind:FirstKind+3], lost)
	}
}

// collectionsAgent compiles testdata/collections.c with the agent's rings.
func collectionsAgent(t *testing.T, jdk jvmtest.JDK) string {
	t.Helper()
	include := filepath.Join(jdk.Home, "include")
	flags := []string{"-shared", "-fPIC", "-I" + include, "-I" + filepath.Join(include, "linux")}
	library, err := jvmtest.Executable(flags, sources(t, "collections.c")...)
	if err != nil {
		t.Fatal(err)
	}
	return library
}
