package view

import (
	"context"
	"errors"
	"io"
	"time"

	"mallard/internal/profile"
)

// rest is how much longer than a reading took it is waited before the next, so that following a large recording leaves
// the processors to the program.
const restFactor = 3

// follower looks at a recording again and again.
type follower struct {
	*Serving
	*following
	timing *Timing       // of the recording as it was last; nil where that has to begin anew
	file   io.ReadCloser // that it reads
}

// follow reads what was allocated when, and the recording again while it goes on.
func (f *follower) follow(ctx context.Context) {
	defer f.forget()
	took := f.time()
	for ctx.Err() == nil && f.Read != nil && !f.following.hasEnded() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(f.Every, restFactor*took)):
		}
		begin := time.Now()
		reading, err := f.Read()
		if err != nil {
			f.following.fail(err)
			continue
		}
		if reading == nil {
			continue // nothing is new
		}
		r := f.layOut(reading)
		if changes := f.changes(r, reading); changes != nil {
			r.SetChanges(changes)
		}
		f.following.take(r)
		took = time.Since(begin)
	}
}

// time reads what was allocated when, of the first reading.
func (f *follower) time() (took time.Duration) {
	begin := time.Now()
	if r := f.following.recording; f.First.Open != nil {
		if changes := f.changes(r, f.First); changes != nil {
			f.following.timed(r, changes)
		}
	}
	return time.Since(begin)
}

// changes reads when cells grew, from where that ended last time on; nil where that cannot be read.
func (f *follower) changes(r *Recording, reading *Reading) *Changes {
	if reading.Open == nil {
		return nil
	}
	for {
		isNew := f.timing == nil
		if isNew {
			file, err := reading.Open()
			if err != nil {
				f.following.fail(err)
				return nil
			}
			f.timing, f.file = NewTiming(file), file
		}
		changes, err := f.timing.Read(r)
		if err == nil {
			return changes
		}
		f.forget()
		if isNew || !errors.Is(err, profile.ErrAnother) {
			f.following.fail(err)
			return nil
		}
	}
}

// forget has changes be read from the beginning on.
func (f *follower) forget() {
	if f.file != nil {
		f.file.Close()
	}
	f.timing, f.file = nil, nil
}
