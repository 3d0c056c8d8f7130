package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Figures is everything measured, by any run of bench; a part that never ran is empty. What is measured anew replaces
// what was there.
type Figures struct {
	Heap          string             `json:"heap"` // options of the JVMs that run workloads
	Processors    int                `json:"processors"`
	Rates         []Rate             `json:"rates,omitempty"`
	Increments    []Increments       `json:"increments,omitempty"`
	Frequencies   []Frequencies      `json:"frequencies,omitempty"`
	Attribution   []Attribution      `json:"attribution,omitempty"`
	Adaptation    []Adaptation       `json:"adaptation,omitempty"`
	Instrumenting *Instrumenting     `json:"instrumenting,omitempty"`
	Cells         []*Cell            `json:"runtime,omitempty"`
	Turns         []Turns            `json:"turns,omitempty"`
	Tracks        []Turns            `json:"tracks,omitempty"`
	Objects       []Turns            `json:"objects,omitempty"`
	Births        []Births           `json:"births,omitempty"`
	Pauses        []Turns            `json:"pauses,omitempty"`
	Startup       []Startup          `json:"startup,omitempty"`
	Counters      []CounterCandidate `json:"counters,omitempty"`
	Copies        []Copies           `json:"copies,omitempty"`
	Agreement     []Agreement        `json:"agreement,omitempty"`
	Attached      []Attached         `json:"attached,omitempty"`
	Events        *EventRings        `json:"events,omitempty"`
}

const figuresFile = "figures.json"

// readFigures reads the figures of earlier runs, if there are any.
func readFigures(folder string) (*Figures, error) {
	figures := new(Figures)
	text, err := os.ReadFile(filepath.Join(folder, figuresFile))
	if err == nil {
		if err = json.Unmarshal(text, figures); err != nil {
			return nil, fmt.Errorf("%s: %w", figuresFile, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	figures.Heap, figures.Processors = strings.Join(heap, " "), runtime.NumCPU()
	return figures, nil
}

// write replaces the file at once, so that whenever bench ends there is a whole one.
func (f *Figures) write(folder string) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	path := filepath.Join(folder, figuresFile)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// put replaces the row that has the same key, or adds one.
func put[R any, K comparable](rows *[]R, row R, key func(R) K) {
	if i := slices.IndexFunc(*rows, func(r R) bool { return key(r) == key(row) }); i >= 0 {
		(*rows)[i] = row
		return
	}
	*rows = append(*rows, row)
}

// cell returns the cell of a workload in a setting, which may be new and empty. Rounds of another binary are dropped.
func (f *Figures) cell(at setting, w Workload, binary string) *Cell {
	key := Cell{subject: subject{at.jdk.Version, w.Name}, Collector: at.collector}
	i := slices.IndexFunc(f.Cells, func(c *Cell) bool {
		return c.subject == key.subject &&
			c.Collector == key.Collector
	})
	if i < 0 {
		i = len(f.Cells)
		f.Cells = append(f.Cells, &key)
	}
	cell := f.Cells[i]
	if cell.Binary != binary {
		cell.Binary, cell.Rounds = binary, nil
	}
	return cell
}
