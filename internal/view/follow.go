package view

import (
	"context"
	"time"
)

// rest is how much longer than a reading took it is waited before the next, so that following a large recording leaves
// the processors to the program.
const restFactor = 3

// follower looks at a recording again and again.
type follower struct {
	*Serving
	*following
}

// follow reads what was allocated when, and the recording again while it goes on.
func (f *follower) follow(ctx context.Context) {
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

// changes reads when cells grew; nil where that cannot be read.
func (f *follower) changes(r *Recording, reading *Reading) *Changes {
	if reading.Open == nil {
		return nil
	}
	file, err := reading.Open()
	if err != nil {
		f.following.fail(err)
		return nil
	}
	defer file.Close()
	changes, err := r.ReadChanges(file)
	if err != nil {
		f.following.fail(err)
		return nil
	}
	return changes
}
