package mallard_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is what documents name of the code: paths, tests, runtime classes.
var named = regexp.MustCompile(
	"`((?:internal|agent|runtime|bench|cmd|docs|scripts|tests|testdata)/[\\w/.$-]*|[a-z_]+\\.(?:c|go)\\b|" +
		"\\$Mallard\\w*(?:\\.\\w+)?|Test[A-Z]\\w+)")

// linked is where links of documents lead to, without their anchors.
var linked = regexp.MustCompile(`\]\(([^)\s#]+)`)

// TestDocumentsNameWhatExists looks for what documents name and link to.
func TestDocumentsNameWhatExists(t *testing.T) {
	var code strings.Builder
	var documents []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || path == "build" || path == "bin"):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			documents = append(documents, path)
		case filepath.Ext(path) == ".go" || filepath.Ext(path) == ".java" || filepath.Ext(path) == ".c":
			text, err := os.ReadFile(path)
			code.WriteString(path + "\n" + string(text))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			name := strings.TrimRight(match[1], ".")
			if strings.Contains(name, "/") {
				if _, err := os.Stat(name); err != nil && !strings.HasPrefix(name, "bench/out") {
					t.Errorf("%s names %s, which does not exist", document, name)
				}
				continue
			}
			owner, member, _ := strings.Cut(name, ".")
			if member == "c" || member == "go" { // a file
				owner = name
			}
			if !strings.Contains(code.String(), owner) || !strings.Contains(code.String(), member) {
				t.Errorf("%s names %s, which is nowhere in the code", document, name)
			}
		}
		folder := filepath.Dir(document)
		if document == filepath.Join("bench", "page.md") { // becomes docs/benchmarks.md
			folder = "docs"
		}
		for _, link := range linked.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(folder, link[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", document, link[1])
			}
		}
	}
}

// TestArchitecture looks for each package, or the one above it, in ARCHITECTURE.md.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool {
		return strings.Contains(string(text), "`"+name+"`") || strings.Contains(string(text), "`"+name+"/`")
	}
	for name := range imports {
		if !has(name) && !has(filepath.ToSlash(filepath.Dir(name))) {
			t.Errorf("ARCHITECTURE.md does not name %s", name)
		}
	}
}
