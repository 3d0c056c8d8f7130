package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A part's tables stand in docs/benchmarks.md between two lines that name it.
const (
	sectionBegins = "<!-- made by `go run ./bench -docs`: %s -->\n"
	sectionEnds   = "<!-- end of %s -->\n"
)

const plotFile = "benchmarks.svg"

// document writes the tables of the parts that have figures, and the plot, into the folder of documents. What was not measured stays as it is.
func (f *Figures) document(folder string) error {
	page := filepath.Join(folder, "benchmarks.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	out := string(text)
	for _, p := range parts {
		if tables := f.section(p.name); tables != "" {
			if out, err = replaceSection(out, p.name, tables); err != nil {
				return fmt.Errorf("%s: %w", page, err)
			}
		}
	}
	if err := os.WriteFile(page, []byte(out), 0o644); err != nil {
		return err
	}
	order, cells := f.places()
	if len(order) == 0 {
		return nil
	}
	return writePlot(filepath.Join(folder, plotFile), order[0], cells[order[0]])
}

// replaceSection puts new text between a section's lines.
func replaceSection(page, name, text string) (string, error) {
	before, rest, found := strings.Cut(page, fmt.Sprintf(sectionBegins, name))
	_, after, ended := strings.Cut(rest, fmt.Sprintf(sectionEnds, name))
	if !found || !ended {
		return "", fmt.Errorf("no section is called %s", name)
	}
	return before + fmt.Sprintf(sectionBegins, name) + "\n" + text + fmt.Sprintf(sectionEnds, name) + after, nil
}
