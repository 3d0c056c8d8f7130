package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Figures is everything measured; a part that never ran is empty.
type Figures struct {
	JDK           string             `json:"jdk"` // that ran the workloads
	Options       string             `json:"options"`
	Processors    int                `json:"processors"`
	Rates         []Rate             `json:"rates,omitempty"`
	Increments    []Increments       `json:"increments,omitempty"`
	Frequencies   []Frequencies      `json:"frequencies,omitempty"`
	Instrumenting *Instrumenting     `json:"instrumenting,omitempty"`
	Runtime       []Runtime          `json:"runtime,omitempty"`
	Startup       []Startup          `json:"startup,omitempty"`
	Counters      []CounterCandidate `json:"counters,omitempty"`
}

const figuresFile = "figures.json"

// readFigures reads the figures of earlier runs, if there are any.
func readFigures(folder string) (*Figures, error) {
	text, err := os.ReadFile(filepath.Join(folder, figuresFile))
	if errors.Is(err, fs.ErrNotExist) {
		return new(Figures), nil
	}
	if err != nil {
		return nil, err
	}
	figures := new(Figures)
	if err := json.Unmarshal(text, figures); err != nil {
		return nil, fmt.Errorf("%s: %w", figuresFile, err)
	}
	return figures, nil
}

func (f *Figures) describe(s *session) {
	f.JDK = s.jdk.Version
	f.Options = strings.Join(heapOptions, " ")
	f.Processors = runtime.NumCPU()
}

func (f *Figures) write(folder string) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, figuresFile), append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "tables.md"), []byte(f.tables()), 0o644)
}
