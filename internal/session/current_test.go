package session_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/payload"
)

// TestCurrentContext has a program ask for its context at random places, deep and shallow, in threads, lambdas, constructors and initialisers of classes, and under exceptions, print what
// Thread.getStackTrace says there, and compares that with what decode says of the number: class, method, line and order.
func TestCurrentContext(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		jar, err := payload.API()
		if err != nil {
			t.Fatal(err)
		}
		classes := jdk.MustJavac(t, []string{"-cp", jar}, filepath.Join("testdata", "Asks.java"))
		times, timeout := 20_000, jvmtest.DefaultTimeout
		if long() {
			times, timeout = 1_000_000, 30*time.Minute
		}
		command := jvmtest.Command{Classpath: []string{classes, jar}, Main: "Asks", Args: []string{strconv.Itoa(times)}, Timeout: timeout}
		for _, name := range []string{"hashed", "encoded", "encoded, epochs", "tree"} {
			t.Run(name, func(t *testing.T) {
				shape, _, often := strings.Cut(name, ",")
				if often {
					manyEpochs(t)
				}
				file := filepath.Join(t.TempDir(), "run.mallard")
				command.Wrap = []string{mallard(t), "run", "-q", "-o", file, "--track", "contexts", "--contexts", shape, "--context-memory", "4096", "--"}
				want := map[string]string{} // stack by number
				asked := 0
				for line := range strings.Lines(jdk.MustRun(t, command).Stdout) {
					id, stack, told := strings.Cut(strings.TrimSpace(line), " ")
					known, seen := want[id]
					switch {
					case seen && told:
						t.Fatalf("%s is two stacks:\n%s\n%s", id, known, stack)
					case told:
						want[id] = stack
					case !seen:
						t.Fatalf("%s has no stack", id)
					}
					asked++
				}
				if asked < times || len(want) < 1_000 {
					t.Fatalf("%d numbers, %d contexts", asked, len(want))
				}
				for ids := range slices.Chunk(slices.Collect(maps.Keys(want)), 20_000) {
					compareDecoded(t, file, ids, want)
				}
				t.Logf("%d comparisons, %d contexts", asked, len(want))
			})
		}
	})
}

// compareDecoded holds the stacks of contexts against what decode says.
func compareDecoded(t *testing.T, file string, ids []string, want map[string]string) {
	t.Helper()
	out, err := exec.Command(mallard(t), append([]string{"decode", "--format", "json", file}, ids...)...).Output()
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	var decoded struct {
		Contexts []struct {
			ID    string
			Stack []struct {
				Class, Method string
				Line          int
			}
		}
	}
	if err := json.Unmarshal(out, &decoded); err != nil {
		t.Fatal(err)
	}
	different := 0
	for _, c := range decoded.Contexts {
		var stack []string
		for _, f := range c.Stack {
			stack = append(stack, fmt.Sprintf("%s:%d", strings.TrimPrefix(f.Class+"."+f.Method, "."), f.Line))
		}
		if got := strings.Join(stack, ";"); got != want[c.ID] {
			if different++; different <= 3 {
				t.Errorf("context %s is\n%s\nThread.getStackTrace says\n%s", c.ID, got, want[c.ID])
			}
		}
	}
	if different > 0 || len(decoded.Contexts) != len(ids) {
		t.Errorf("%d of %d contexts are different", different, len(decoded.Contexts))
	}
}
