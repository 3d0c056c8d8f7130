package session_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/jvmtest"
)

// TestCurrentContext has a program ask for its context at random places, deep and shallow, in threads, lambdas, constructors and initialisers of classes, and under exceptions, print what
// Thread.getStackTrace says there, and compares that with what decode says of the number: class, method, line and order.
func TestCurrentContext(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		times, timeout := 20_000, jvmtest.DefaultTimeout
		if long() {
			times, timeout = 1_000_000, 30*time.Minute
		}
		asks := keeper(t, jdk, "Asks", itoa(times))
		asks.Timeout = timeout
		for _, name := range []string{"hashed", "encoded", "encoded, epochs", "tree"} {
			t.Run(name, func(t *testing.T) {
				shape, _, often := strings.Cut(name, ",")
				if often {
					manyEpochs(t)
				}
				command, file := profiled(t, asks, "-q", "--track", "contexts", "--contexts", shape, "--context-memory", "4096")
				asked, _ := books(jdk.MustRun(t, command).Stdout)
				want := stacksOf(t, asked)
				if len(asked) < times || len(want) < 1_000 {
					t.Fatalf("%d numbers, %d contexts", len(asked), len(want))
				}
				want.compareDecoded(t, file)
				t.Logf("%d comparisons, %d contexts", len(asked), len(want))
			})
		}
	})
}

// contextStacks is what a program says of its contexts: the stack of each number.
type contextStacks map[string]string

// stacksOf reads lines of a program: a number and its stack, or a number alone that has been told already.
func stacksOf(t *testing.T, asked []string) contextStacks {
	t.Helper()
	stacks := contextStacks{}
	for _, line := range asked {
		id, stack, told := strings.Cut(line, " ")
		known, seen := stacks[id]
		switch {
		case seen && told && known != stack:
			t.Fatalf("%s is two stacks:\n%s\n%s", id, known, stack)
		case told:
			stacks[id] = stack
		case !seen:
			t.Fatalf("%s has no stack", id)
		}
	}
	return stacks
}

// compareDecoded holds the stacks against what decode says of a recording's contexts.
func (s contextStacks) compareDecoded(t *testing.T, file string) {
	t.Helper()
	for ids := range slices.Chunk(slices.Collect(maps.Keys(s)), 20_000) {
		s.compare(t, file, ids)
	}
}

func (s contextStacks) compare(t *testing.T, file string, ids []string) {
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
		if got := strings.Join(stack, ";"); got != s[c.ID] {
			if different++; different <= 3 {
				t.Errorf("context %s is\n%s\nThread.getStackTrace says\n%s", c.ID, got, s[c.ID])
			}
		}
	}
	if different > 0 || len(decoded.Contexts) != len(ids) {
		t.Errorf("%d of %d contexts are different", different, len(decoded.Contexts))
	}
}
