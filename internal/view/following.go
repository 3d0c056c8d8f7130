package view

import (
	"sync"

	"mallard/internal/profile"
)

// following is what is known of a recording that may go on.
type following struct {
	lock       sync.Mutex
	recording  *Recording
	generation int // counted up when there is something new
	ended      bool
	problem    string // why there is nothing newer
}

// State is what a page asks for again and again.
type State struct {
	Generation int     `json:"generation"`
	Live       bool    `json:"live"`    // the recording goes on
	Timed      bool    `json:"timed"`   // what was allocated when is known
	Seconds    float64 `json:"seconds"` // of the program
	Problem    string  `json:"problem,omitempty"`
}

func (f *following) state() State {
	f.lock.Lock()
	defer f.lock.Unlock()
	s := State{Generation: f.generation, Live: !f.ended, Problem: f.problem}
	if f.recording != nil {
		s.Timed, s.Seconds = f.recording.changes != nil, f.recording.Profile.Duration.Seconds()
	}
	return s
}

// answer has a question answered by what was read last. One is answered at a time.
func (f *following) answer(question func(*Recording) (any, error)) (any, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	return question(f.recording)
}

// profile is what was read last.
func (f *following) profile() *profile.Profile {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.recording.Profile
}

// take takes a new reading.
func (f *following) take(r *Recording) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.recording, f.ended, f.problem = r, r.Profile.Ended(), ""
	f.generation++
}

// timed takes what was allocated when.
func (f *following) timed(r *Recording, c *Changes) {
	f.lock.Lock()
	defer f.lock.Unlock()
	r.SetChanges(c)
	f.generation++
}

// fail says why there is nothing newer.
func (f *following) fail(err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.problem = err.Error()
}

func (f *following) hasEnded() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.ended
}
