package mallard_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite what tests compare documents with; the test fails all the same")

const (
	decisions     = "docs/decisions"
	decisionWords = 300
	listBegins    = "<!-- list -->\n"
	listEnds      = "<!-- end of list -->\n"
)

var (
	decisionTitle    = regexp.MustCompile(`^# (\d{4})\. (.+)$`)
	decisionStatus   = regexp.MustCompile(`^Status: (accepted|rejected|superseded by (\d{4}))$`)
	decisionSections = []string{"Decision", "Reason", "Figures", "Rejected"}
	decisionNumber   = regexp.MustCompile(`\b0\d{3}\b`)
)

// TestDecisions holds the decision records to the form that their README gives, and the README to the records.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob(decisions + "/[0-9]*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	var list strings.Builder
	list.WriteString("\n| | decision | status |\n| --- | --- | --- |\n")
	for i, file := range files {
		title, status := checkDecision(t, file, i+1, len(files))
		fmt.Fprintf(&list, "| %04d | [%s](%s) | %s |\n", i+1, title, filepath.Base(file), status)
	}
	list.WriteByte('\n')

	readme := decisions + "/README.md"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), listBegins)
	listed, after, ends := strings.Cut(rest, listEnds)
	if !begins || !ends {
		t.Fatalf("%s has no list", readme)
	}
	if listed == list.String() {
		return
	}
	t.Errorf("%s does not list the records as they are; -update rewrites it", readme)
	if *update {
		if err := os.WriteFile(readme, []byte(before+listBegins+list.String()+listEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkDecision checks the form of one of so many records, which must have the number.
func checkDecision(t *testing.T, file string, number, last int) (title, status string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 3 {
		t.Fatalf("%s is too short", file)
	}
	first, stands := decisionTitle.FindStringSubmatch(lines[0]), decisionStatus.FindStringSubmatch(lines[2])
	if first == nil || stands == nil {
		t.Fatalf("%s: a record begins with its title, an empty line and its status", file)
	}
	if want := fmt.Sprintf("%04d", number); first[1] != want || !strings.HasPrefix(filepath.Base(file), want+"-") {
		t.Errorf("%s: number %s in the title; the next number is %s", file, first[1], want)
	}
	if words := len(strings.FieldsFunc(string(text), func(r rune) bool {
		return strings.ContainsRune(" \n|",
			r)
	})); words > decisionWords {
		t.Errorf("%s has %d words, and at most %d are allowed", file, words, decisionWords)
	}
	var sections []string
	for _, line := range lines {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, heading)
		}
	}
	order := slices.DeleteFunc(slices.Clone(decisionSections), func(s string) bool {
		return !slices.Contains(sections,
			s)
	})
	if !slices.Equal(sections, order) || !slices.Contains(sections, "Decision") ||
		!slices.Contains(sections, "Reason") {
		t.Errorf("%s has the sections %v, where %v are expected, the first two always", file, sections,
			decisionSections)
	}
	for _, other := range decisionNumber.FindAllString(string(text), -1) {
		if other > fmt.Sprintf("%04d", last) {
			t.Errorf("%s names the record %s, which does not exist", file, other)
		}
	}
	return first[2], stands[1]
}
