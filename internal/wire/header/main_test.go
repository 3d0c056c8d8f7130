package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"mallard/internal/wire"
)

var (
	use        = regexp.MustCompile(`\bWIRE_[A-Z_]+\b`)
	definition = regexp.MustCompile(`(?m)^#define (WIRE_[A-Z_]+) (\d+)U$`)
)

// TestHeader holds the header against the agent's sources: what they use is defined, once, and no two frames share a number.
func TestHeader(t *testing.T) {
	values := map[string]string{}
	for _, d := range definition.FindAllSubmatch(header(), -1) {
		name := string(d[1])
		if values[name] != "" {
			t.Errorf("%s is defined twice", name)
		}
		values[name] = string(d[2])
	}
	sources, err := filepath.Glob("../../../agent/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources of the agent (%v)", err)
	}
	for _, path := range sources {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range use.FindAll(source, -1) {
			if values[string(name)] == "" {
				t.Errorf("%s uses %s, which is not defined", path, name)
			}
		}
	}
	frames := map[string]string{}
	for _, m := range wire.Messages {
		number := values["WIRE_"+m.Name]
		if other, taken := frames[number]; taken || number == "" {
			t.Errorf("frame %s has the number %q of %q", m.Name, number, other)
		}
		frames[number] = m.Name
	}
}

// TestSendsEveryFrame keeps the table free of frames that no agent sends.
func TestSendsEveryFrame(t *testing.T) {
	var all []byte
	sources, err := filepath.Glob("../../../agent/*.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source...)
	}
	for _, m := range wire.Messages {
		if m.Type == wire.Refuse { // whatever is not OK
			continue
		}
		if !regexp.MustCompile(`\bWIRE_` + m.Name + `\b`).Match(all) {
			t.Errorf("the agent does not know frame %s", m.Name)
		}
	}
}
