package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Results are tables in files: comments with the title and a note, then CSV with a header.
const (
	resultsFolder = "bench/results"
	resultsEnd    = ".csv"
	titleComment  = "# title: "
	noteComment   = "# note: "
)

// part is what a table's name begins with.
func (t *table) part() string {
	part, _, _ := strings.Cut(t.name, "-")
	return part
}

// replaceResults writes the tables of a part, and removes what the folder had of it.
func replaceResults(folder, part string, tables []*table) error {
	old, err := readResults(folder)
	if err != nil {
		return err
	}
	for _, t := range old {
		if t.part() == part {
			if err := os.Remove(filepath.Join(folder, t.name+resultsEnd)); err != nil {
				return err
			}
		}
	}
	for _, t := range tables {
		if t.part() != part {
			return fmt.Errorf("the table %s is one of %s", t.name, part)
		}
		if err := t.write(folder); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) write(folder string) error {
	var out bytes.Buffer
	out.WriteString(titleComment + t.title + "\n")
	if t.note != "" {
		out.WriteString(noteComment + t.note + "\n")
	}
	w := csv.NewWriter(&out)
	if err := w.WriteAll(append([][]string{t.header}, t.rows...)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, t.name+resultsEnd), out.Bytes(), 0o644)
}

// readResults reads all tables of a folder, in the order of their names.
func readResults(folder string) ([]*table, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"+resultsEnd))
	if err != nil {
		return nil, err
	}
	var tables []*table
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		t := &table{name: strings.TrimSuffix(filepath.Base(file), resultsEnd)}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan() && strings.HasPrefix(lines.Text(), "# "); {
			if title, ok := strings.CutPrefix(lines.Text(), titleComment); ok {
				t.title = title
			}
			if note, ok := strings.CutPrefix(lines.Text(), noteComment); ok {
				t.note = note
			}
		}
		r := csv.NewReader(bytes.NewReader(text))
		r.Comment = '#'
		rows, err := r.ReadAll()
		if err != nil || len(rows) == 0 || t.title == "" {
			return nil, fmt.Errorf("%s: no title or no header: %w", file, err)
		}
		t.header, t.rows = rows[0], rows[1:]
		tables = append(tables, t)
	}
	return tables, nil
}
