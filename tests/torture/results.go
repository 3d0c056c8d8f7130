package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// results remembers the names of cases that have passed, a line each, below the hash of the binary that they passed
// with.
type results struct {
	mu     sync.Mutex
	file   *os.File
	passed map[string]bool
}

// openResults reads what has passed with the binary, where the run is to go on.
func openResults(folder, binary string, resume bool) (*results, error) {
	b, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(b)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(folder, hex.EncodeToString(hash[:8]))
	r := &results{passed: map[string]bool{}}
	flags := os.O_CREATE | os.O_RDWR | os.O_APPEND
	if !resume {
		flags |= os.O_TRUNC
	}
	if r.file, err = os.OpenFile(name, flags, 0o644); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(r.file); lines.Scan(); {
		r.passed[lines.Text()] = true
	}
	return r, nil
}

func (r *results) pass(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := fmt.Fprintln(r.file, name)
	return err
}

// Close keeps what has passed.
func (r *results) Close() error { return r.file.Close() }
