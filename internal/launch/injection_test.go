package launch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/transport"
)

// TestProgramOf looks for programs as a JVM does that is this process.
func TestProgramOf(t *testing.T) {
	folder := t.TempDir()
	for path, mode := range map[string]os.FileMode{"a/program": 0o755, "b/program": 0o755, "a/data": 0o644,
		"b/data": 0o755} {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	in := func(path string) string { return filepath.Join(folder, path) }
	path := in("none") + ":" + in("a") + ":" + in("b")
	t.Chdir(in("a"))
	for _, test := range []struct{ program, directory, path, want string }{
		{"program", "", path, in("a/program")},
		{"data", "", path, in("b/data")},
		{"nothing", "", path, ""},
		{"program", "", "a:" + path, ""}, // what that is depends
		{"program", "", "", ""},
		{in("b/program"), in("a"), path, in("b/program")},
		{"./program", in("b"), path, in("b/program")},
		{"./program", "", path, in("a/program")},
		{"./program", "../b", path, in("b/program")},
		{"../b", "", path, ""},
	} {
		c := &transport.Command{Program: []byte(test.program), Directory: []byte(test.directory),
			Path: []byte(test.path)}
		if got, ok := programOf(os.Getpid(), c); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%+v: %s, %v", test, got, ok)
		}
	}
	if got, ok := programOf(1<<30, &transport.Command{Program: []byte("/bin/sh")}); ok {
		t.Errorf("%s of no process", got)
	}
}

func TestLists(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "\x00": {""}, "a\x00": {"a"}, "\x00\x00": {"", ""},
		"a\x00b c\x00": {"a", "b c"}} {
		if got := split([]byte(text)); !slices.Equal(got, want) || string(join(got)) != text {
			t.Errorf("%q: %q, %q", text, got, join(got))
		}
	}
}
