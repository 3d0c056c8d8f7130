package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"mallard/internal/abi"
)

// TestGenerated holds what is committed against what is generated. `go generate ./internal/...` brings it up to
// date.
func TestGenerated(t *testing.T) {
	root := filepath.Join(folder(), "..", "..")
	for output, path := range map[string]string{"messages": "internal/transport/messages.go",
		"docs": "docs/memory.md"} {
		want, err := generate(output)
		if err != nil {
			t.Fatal(err)
		}
		have, err := os.ReadFile(filepath.Join(root, path))
		if err != nil || string(have) != string(want) {
			t.Errorf("%s is not what package abi says (%v); run go generate ./internal/...", path, err)
		}
	}
}

// TestHeader holds the header against the agent's sources: what they use is defined, once, and every message is
// known to them.
func TestHeader(t *testing.T) {
	header, err := generate("header")
	if err != nil {
		t.Fatal(err)
	}
	defined := map[string]bool{}
	for _, d := range regexp.MustCompile(`(?m)^#define (ABI_\w+) \d+(U|ULL)$`).FindAllSubmatch(header, -1) {
		if name := string(d[1]); defined[name] {
			t.Errorf("%s is defined twice", name)
		} else {
			defined[name] = true
		}
	}
	sources, err := filepath.Glob(filepath.Join(folder(), "..", "..", "agent", "*.c"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources of the agent (%v)", err)
	}
	used := map[string]bool{}
	for _, path := range sources {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bABI_\w+`).FindAllString(string(source), -1) {
			used[name] = true
			if !defined[name] {
				t.Errorf("%s uses %s, which is not defined", path, name)
			}
		}
	}
	types := map[abi.Type]string{}
	for _, m := range abi.Messages {
		if other, taken := types[m.Type]; taken {
			t.Errorf("%s has the number of %s", m.Name, other)
		}
		types[m.Type] = m.Name
		if m.Type != abi.Refuse && !used["ABI_"+upper(m.Name)] { // whatever is not OK
			t.Errorf("the agent does not know %s", m.Name)
		}
	}
}

// TestFirst keeps first fields first that Java reads without an offset: adding 0 would be code.
func TestFirst(t *testing.T) {
	for name, offset := range map[string]int{
		"NodeMethod": abi.NodeMethod, "MethodName": abi.MethodName, "CallName": abi.CallName,
		"AnchorNumber": abi.AnchorNumber, "ArenaTop": abi.ArenaTop,
		"WordDeferred": abi.WordDeferred,
	} {
		if offset != 0 {
			t.Errorf("%s is %d, want 0", name, offset)
		}
	}
}

// TestEventKinds: no two kinds of events have one number.
func TestEventKinds(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder(), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	is := map[string]string{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range regexp.MustCompile(`(?m)^\s+(Event\w+)\s+= EventFirst(?: \+ (\d+))?(?: |$)`).
			FindAllSubmatch(source, -1) {
			name, number := string(kind[1]), string(kind[2])
			if is[number] != "" {
				t.Errorf("%s and %s are both %s behind the first", is[number], name, number)
			}
			is[number] = name
		}
	}
	if len(is) < 30 {
		t.Errorf("%d kinds", len(is))
	}
}
