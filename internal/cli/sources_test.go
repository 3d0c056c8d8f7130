package cli

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSources finds source files in folders and archives, and none outside.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "src.zip")
	out, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	f, err := z.Create("java.base/java/util/HashMap.java")
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("one\r\ntwo\n"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	inside := filepath.Join(dir, "project", "src", "main", "java", "demo")
	if err := os.MkdirAll(inside, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(inside, "App.java"), filepath.Join(dir, "Secret.java")} {
		if err := os.WriteFile(file, []byte("app"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := sources{filepath.Join(dir, "missing"), filepath.Join(dir, "project"), archive}
	for name, want := range map[string][]string{
		"java/util/HashMap.java": {"one", "two"}, "demo/App.java": {"app"}, "demo/Other.java": nil,
		"../Secret.java": nil, filepath.Join(dir, "Secret.java"): nil,
	} {
		lines, _, found := s.find(name)
		if diff := cmp.Diff(want, lines); diff != "" || found != (want != nil) {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
