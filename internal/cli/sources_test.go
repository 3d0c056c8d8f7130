package cli

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSources finds source files in folders and archives, and none outside.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "src.zip")
	if err := os.WriteFile(archive, zipped(t, "java.base/java/util/HashMap.java", "one\r\ntwo\n"), 0o666); err != nil {
		t.Fatal(err)
	}
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

// TestClassPathSources finds jars of sources as Maven and Gradle keep them, and the sources of a folder of classes.
func TestClassPathSources(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"repository/a/1/a-1-sources.jar":             "a/A.java",
		"cache/b/1/hash1/b-1.jar":                    "",
		"cache/b/1/hash2/b-1-sources.jar":            "b/B.java",
		"lib/c[1]-sources.jar":                       "c/C.java",
		"lib/c[1].jar":                               "",
		"maven/src/main/java/d/D.java":               "",
		"gradle/src/main/java/e/E.java":              "",
		"maven/target/classes/d/D.class":             "",
		"gradle/build/classes/java/main/e/E.class":   "",
		"elsewhere/src/main/java/f/F.java":           "",
		"elsewhere/target/classes/f/F.class":         "",
		"argument/src/main/java/g/G.java":            "",
		"argument/target/classes/g/NotLookedAt.file": "",
	}
	for name, entry := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		text := []byte("line")
		if entry != "" {
			text = zipped(t, entry, "line")
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := func(names ...string) string {
		for i := range names {
			names[i] = filepath.Join(dir, filepath.FromSlash(names[i]))
		}
		return strings.Join(names, string(filepath.ListSeparator))
	}
	all := at("repository/a/1/a-1.jar", "cache/b/1/hash1/b-1.jar", "lib/*", "maven/target/classes",
		"gradle/build/classes/java/main")
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"java|-cp|" + all + "|Main", []string{"a/A.java", "b/B.java", "c/C.java", "d/D.java", "e/E.java"}},
		{"java|--class-path=" + all + "|-Xmx1g|Main|-cp|" + at("argument/target/classes"),
			[]string{"a/A.java", "b/B.java", "c/C.java", "d/D.java", "e/E.java"}},
		{"java|-cp|" + all + "|--add-opens|java.base/java.lang=ALL-UNNAMED|-classpath|" +
			at("elsewhere/target/classes") + "|Main", []string{"f/F.java"}},
		{"java|-cp|" + all + "|-jar|" + at("lib/c[1].jar"), []string{"c/C.java"}},
		{"java|-jar", nil},
		{"java|-cp", nil},
	} {
		s := classPathSources(strings.Split(c.command, "|"))
		var found []string
		for _, name := range []string{"a/A.java", "b/B.java", "c/C.java", "d/D.java", "e/E.java", "f/F.java",
			"g/G.java"} {
			if _, _, is := s.find(name); is {
				found = append(found, name)
			}
		}
		if diff := cmp.Diff(c.want, found); diff != "" {
			t.Errorf("%s: %s", c.command, diff)
		}
	}
}

// zipped is an archive with one file.
func zipped(t *testing.T, name, text string) []byte {
	t.Helper()
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	f, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}
