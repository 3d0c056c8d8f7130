package instrument

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/classfile/corpus"
)

// TestSkipped compares what cannot be rewritten with testdata/skipped.txt, which has a line for each method of the
// corpus that is left as it was, "placement class.method: reason". A sample can only have lines that are in the file;
// every class together must have all lines whose class is installed. They may be one class in a thousand.
func TestSkipped(t *testing.T) {
	path := filepath.Join("testdata", "skipped.txt")
	golden, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(golden)); lines.Scan(); {
		listed[lines.Text()] = true
	}
	found, concerned, installed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	seen := distinct{}
	for _, archive := range corpus.All(t) {
		eachClass(t, archive, oneIn(20), func(c *corpusClass) {
			if !seen.add(c.bytes) {
				return
			}
			installed[c.name] = true
			for _, s := range strategies {
				r, err := Rewrite(c.bytes, Options{Placement: s})
				if err != nil {
					t.Errorf("%s: %v", c, err)
					return
				}
				for _, skipped := range r.Skipped {
					found[fmt.Sprintf("%v %s.%s: %s", s, c.name, skipped.Method, skipped.Reason)] = true
					concerned[c.name] = true
				}
			}
		})
	}
	for _, line := range slices.Sorted(maps.Keys(found)) {
		if !listed[line] {
			t.Errorf("not in %s: %s", path, line)
		}
	}
	for line := range listed {
		words := strings.SplitN(line, " ", 3)
		class, _, _ := strings.Cut(words[1], ".")
		if installed[class] && !found[line] {
			t.Errorf("in %s, but rewritten: %s", path, line)
		}
	}
	t.Logf("%d of %d classes have methods that are left as they were", len(concerned), len(installed))
	if long && len(concerned)*1000 > len(installed) {
		t.Errorf("%d of %d classes have methods that cannot be rewritten", len(concerned), len(installed))
	}
	if t.Failed() && *update {
		text := strings.Join(slices.Sorted(maps.Keys(found)), "\n") + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
