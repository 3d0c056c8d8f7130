package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// TestEdit: a verified program does what it did, but for the instructions that are edited.
func TestEdit(t *testing.T) {
	jdks, err := jvmtest.FindJDKs()
	if err != nil {
		t.Fatal(err)
	}
	classes := jdks[0].MustJavac(t, nil, filepath.Join("testdata", "Edited.java"))
	jar, edited := filepath.Join(t.TempDir(), "plain.jar"), filepath.Join(t.TempDir(), "edited.jar")
	pack(t, classes, jar)
	call := edit{class: "Edited", what: staticCalls, owner: "Edited", name: "join",
		types: "(Ljava/lang/String;J)Ljava/lang/String;", by: "Edited$Ours.join"}
	construction := edit{class: "Edited", what: constructions, owner: "Edited", types: "(Ljava/lang/String;I)V",
		by: "Edited$Ours.make"}
	element := edit{class: "Edited", what: elementReads, owner: "Edited", by: "Edited$Ours.element"}
	for _, c := range []struct {
		edits []edit
		want  string
	}{
		{nil, "call1 made2 none"},
		{[]edit{call}, "our call1 made6 none"},
		{[]edit{construction}, "call1 our made2 none"},
		{[]edit{element}, "call1 made2 our element 0"},
		{[]edit{call, construction, element}, "our call1 our made6 our element 0"},
	} {
		if err := applyAll(c.edits, jar, edited); err != nil {
			t.Fatal(err)
		}
		out := jdks[0].MustRun(t, jvmtest.Command{Options: jvmtest.ShortRun(), Classpath: []string{edited},
			Main: "Edited"})
		if got := strings.TrimSpace(out.Stdout); got != c.want || out.ExitCode != 0 {
			t.Errorf("%d edits: %q, want %q\n%s", len(c.edits), got, c.want, out.Stderr)
		}
	}
	nothing := call
	nothing.name = "other"
	if err := applyAll([]edit{nothing}, jar, edited); err == nil {
		t.Error("an edit that changes nothing is no error")
	}
}

// pack makes a jar of a folder's classes.
func pack(t *testing.T, folder, jar string) {
	t.Helper()
	file, err := os.Create(jar)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := zip.NewWriter(file)
	if err := out.AddFS(os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
