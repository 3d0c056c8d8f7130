// Package follow reads recordings while they are written: what was allocated since it last looked.
//
//	r := follow.New("app.mallard")
//	p, err := r.Next()    // a span that ends with the last snapshot; nil where there is no newer one
//	r.Taken(p)            // the next one begins where it ends; else it has all of this one as well
//
// Spans follow each other without a gap, so that their amounts add up to those of the recording. What was not taken
// needs no memory: the recording has it.
package follow

import (
	"errors"
	"fmt"
	"os"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// Recording is a file that another process may be writing.
type Recording struct {
	File  string
	at    time.Duration // the snapshot up to which all was taken
	last  bool          // what Next gave last is the rest
	ended bool          // all was taken
}

// New begins with the start of the recording.
func New(file string) *Recording { return &Recording{File: file} }

// Ended reports whether there is no more to come.
func (r *Recording) Ended() bool { return r.ended }

// Next reads what is new, and gives the records of that part of the file to others as well; nil where there is nothing,
// or where the file does not say whose it is yet. last says that no more will be written.
func (r *Recording) Next(last bool, also ...profile.Consumer) (*profile.Profile, error) {
	if r.ended {
		return nil, nil
	}
	opened, err := os.Open(r.File)
	if err != nil {
		return nil, fmt.Errorf("follow: %w", err)
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, fmt.Errorf("follow: %w", err)
	}
	if info.Size() <= trace.FileHeaderSize {
		return nil, nil
	}
	file, err := trace.OpenFile(opened, info.Size())
	if err != nil {
		return nil, fmt.Errorf("follow: %w", err)
	}
	nanos, ended, err := file.LastSnapshot()
	if err != nil {
		return nil, fmt.Errorf("follow: %w", err)
	}
	span := profile.Span{From: r.at, To: time.Duration(nanos)}
	switch {
	case ended || last && r.at == 0:
		span.To = 0
	case span.To <= r.at:
		return nil, nil
	}
	r.last = ended
	reader, err := file.From(int64(span.From))
	if err != nil {
		return nil, fmt.Errorf("follow: %w", err)
	}
	p, err := profile.FoldSpan(reader, span, also...)
	if errors.Is(err, profile.ErrEmpty) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("follow: %w", err)
	}
	return p, nil
}

// Taken says that a span of Next needs not come again.
func (r *Recording) Taken(p *profile.Profile) {
	r.at = p.Span.To
	r.ended = r.last
}
