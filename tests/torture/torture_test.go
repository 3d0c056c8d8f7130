package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

var update = flag.Bool("update", false, "write docs/reliability.md, and fail")

// TestTorture runs the short matrix.
func TestTorture(t *testing.T) {
	if err := adoptJVMs(); err != nil {
		t.Fatal(err)
	}
	m := &Machine{Root: jvmtest.MustRoot(t)}
	m.Mallard = filepath.Join(m.Root, "bin", "mallard")
	var err error
	if m.Library, err = libraryOf(m.Mallard); err != nil {
		t.Fatalf("%v; run make build first", err)
	}
	jdks := jvmtest.JDKs(t)
	for _, c := range Short(Matrix(jdks, 2), len(jdks)) {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			if err := m.Check(c); err != nil {
				t.Errorf("%v\nagain: %s", err, c.Again())
			}
		})
	}
}

// TestMatrix holds the table to having no two cases of a name, and the short one to having each death.
func TestMatrix(t *testing.T) {
	jdks := []jvmtest.JDK{{Feature: 17}, {Feature: 25}}
	cases := Matrix(jdks, 10)
	names := map[string]bool{}
	for _, c := range cases {
		if names[c.Name()] {
			t.Errorf("two cases are called %s", c.Name())
		}
		names[c.Name()] = true
	}
	shown := map[string]bool{}
	for _, c := range Short(cases, len(jdks)) {
		shown[c.Ending.Name] = true
	}
	for _, e := range deaths {
		if !shown[e.Name] {
			t.Errorf("%s is not among the cases of CI", e.Name)
		}
	}
	if n := len(cases); n < 1000 {
		t.Errorf("%d cases, which are to be 1,000", n)
	}
}

// TestReliability compares docs/reliability.md with the tables.
func TestReliability(t *testing.T) {
	file := filepath.Join(jvmtest.MustRoot(t), "docs", "reliability.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Filled(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if want == string(text) {
		return
	}
	t.Error("docs/reliability.md is not what the tables say; -update writes it")
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Error(err)
		}
	}
	for _, e := range elsewhere {
		if !strings.HasPrefix(e.Test, "Test") {
			t.Errorf("%s: no test", e.Does)
		}
	}
}
