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

// longLines is how many lines of code are longer still, in all folders that wrapped does not have. It only becomes
// smaller.
const longLines = 300

// wrapped is where no line is longer, documents everywhere besides.
var wrapped = []string{"cmd", "scripts", "bench", "runtime/portable", "runtime/api",
	"internal/bytecode", "internal/cfg", "internal/classfile", "internal/jvm", "internal/payload"}

// TestColumns holds code and documents to a width. Not held are tables in Markdown, test data, and the programs of
// bench/workloads, which are full of other languages.
func TestColumns(t *testing.T) {
	long := map[string]int{}
	total := 0
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
		document := filepath.Ext(name) == ".md"
		for number, line := range strings.Split(string(text), "\n") {
			width := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
			if width <= mostColumns || document && strings.HasPrefix(strings.TrimSpace(line), "|") {
				continue
			}
			inside := func(folder string) bool { return strings.HasPrefix(filepath.ToSlash(path), folder+"/") }
			if document || slices.ContainsFunc(wrapped, inside) {
				t.Errorf("%s:%d has %d columns, %d are allowed", path, number+1, width, mostColumns)
			}
			long[filepath.Dir(path)]++
			total++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if total > longLines {
		t.Errorf("%d lines are longer than %d columns, and at most %d may be: wrap what you write. By folder: %v",
			total, mostColumns, longLines, long)
	}
}
