package main

import (
	"bytes"
	"sync"
)

// lines keeps what a program prints, and tells when a line has come.
type lines struct {
	mu    sync.Mutex
	text  bytes.Buffer
	line  string
	found chan struct{}
	once  sync.Once
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	if bytes.Contains(l.text.Bytes(), []byte(l.line+"\n")) {
		l.once.Do(func() { close(l.found) })
	}
	return len(b), nil
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
