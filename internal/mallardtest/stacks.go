package mallardtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// ContextStacks is what a program says of its contexts: the stack of each number.
type ContextStacks map[string]string

// StacksOf reads lines of a program: a number and its stack, or a number alone that has been found already.
func StacksOf(t *testing.T, asked []string) ContextStacks {
	t.Helper()
	stacks := ContextStacks{}
	for _, line := range asked {
		id, stack, found := strings.Cut(line, " ")
		known, seen := stacks[id]
		switch {
		case seen && found && known != stack:
			t.Fatalf("%s is two stacks:\n%s\n%s", id, known, stack)
		case found:
			stacks[id] = stack
		case !seen:
			t.Fatalf("%s has no stack", id)
		}
	}
	return stacks
}

// CompareDecoded holds the stacks against what decode says of a recording's contexts.
func (s ContextStacks) CompareDecoded(t *testing.T, file string) {
	t.Helper()
	for ids := range slices.Chunk(slices.Collect(maps.Keys(s)), 20_000) {
		s.compare(t, file, ids)
	}
}

func (s ContextStacks) compare(t *testing.T, file string, ids []string) {
	t.Helper()
	out, err := exec.Command(Binary(t), append([]string{"decode", "--format", "json", file}, ids...)...).Output()
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
