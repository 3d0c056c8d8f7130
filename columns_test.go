package mallard_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostColumns = 120
	tabColumns  = 4
)

// TestColumns holds code and documents to a width. Not held are tables in Markdown, and what programs print there
// (blocks of text), test data, and the programs of bench/workloads, which are full of other languages.
func TestColumns(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != "." && strings.HasPrefix(name, ".") ||
				slices.Contains([]string{"testdata", "build", "bin", "out"}, name) || path == "bench/workloads" {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".c", ".h", ".java", ".md", ".sh"}, filepath.Ext(name)) &&
			name != "Makefile" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		document, printed := filepath.Ext(name) == ".md", false
		for number, line := range strings.Split(string(text), "\n") {
			if document && strings.HasPrefix(line, "```") {
				printed = line == "```text" && !printed
			}
			width := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
			if width <= mostColumns || printed || document && strings.HasPrefix(strings.TrimSpace(line), "|") {
				continue
			}
			t.Errorf("%s:%d has %d columns, %d are allowed", path, number+1, width, mostColumns)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
