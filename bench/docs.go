package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

const plotFile = "benchmarks.svg"

//go:embed page.md
var pageText string

// document puts the tables of the parts that have figures, and the plot, in the place of what the repository at root
// has of them, and writes the page from all results. What was not measured stays as it is.
func (f *Figures) document(root string) error {
	results, docs := filepath.Join(root, resultsFolder), filepath.Join(root, "docs")
	for _, p := range parts {
		if tables := f.tables(p.name); len(tables) > 0 {
			if err := replaceResults(results, p.name, tables); err != nil {
				return err
			}
		}
	}
	page, err := page(results)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(docs, "benchmarks.md"), []byte(page), 0o644); err != nil {
		return err
	}
	order, cells := bySetting(f.Cells)
	if len(order) == 0 {
		return nil
	}
	return writePlot(filepath.Join(docs, plotFile), order[0], cells[order[0]])
}

// page is docs/benchmarks.md, made of page.md and the results.
func page(results string) (string, error) {
	tables, err := readResults(results)
	if err != nil {
		return "", err
	}
	text, err := template.New("page.md").Funcs(template.FuncMap{
		// all rows of one result
		"table": func(name string) string {
			for _, t := range tables {
				if t.name == name {
					return strings.TrimSpace(t.markdown(t.rows))
				}
			}
			return "no result is called " + name
		},
		// what to see at once of all results with such names: small tables, means of large ones, and where the rest is
		"results": func(parts ...string) string {
			var out []string
			for _, part := range parts {
				for _, t := range tables {
					if t.part() == part {
						out = append(out, t.summary())
					}
				}
			}
			return strings.Join(out, "\n\n")
		},
	}).Parse(pageText)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = text.Execute(&out, nil)
	return out.String(), err
}

// A table is printed whole up to so many rows.
const smallTable = 8

// summary is what the page says of a table.
func (t *table) summary() string {
	lines := []string{"**" + t.title + "**", "([all rows](../" + resultsFolder + "/" + t.name + resultsEnd + "))"}
	if t.note != "" {
		lines = append(lines, t.note)
	}
	rows := t.rows
	if len(rows) > smallTable {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row []string) bool { return row[0] != meanRow })
	}
	if len(rows) > 0 {
		lines = append(lines, "", strings.TrimSpace(t.markdown(rows)))
	}
	return strings.Join(lines, "\n")
}
