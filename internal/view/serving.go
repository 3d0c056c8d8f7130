package view

import (
	"io"
	"time"

	"mallard/internal/profile"
)

// Page is what a browser shows by itself.
type Page struct {
	Text []byte
	// Policy is the Content-Security-Policy that it keeps to.
	Policy string
}

// Serving says what is served.
type Serving struct {
	First *Reading
	// Read reads the recording again while it goes on, nil if there is nothing new; nil: it does not go on
	Read  func() (*Reading, error)
	Every time.Duration // between two readings
	Mine  *profile.Mine // the user's own code; nil: that is guessed
	// Find gives the lines of a source file, such as java/util/HashMap.java, and where they are from
	Find func(file string) (lines []string, place string, found bool)
	// Main makes the page; Others make those that stand in it, by name, when they are asked for
	Main   func() (*Page, error)
	Others map[string]Other

	Port  int // of the loopback interface; 0 for any that is free
	Ready func(address string)
}

// Other makes a page about a span of a recording, as it was read last; the zero span is all of it.
type Other func(*profile.Profile, profile.Span) (*Page, error)

// Reading is one reading of a recording.
type Reading struct {
	Profile     *profile.Profile
	Collections *profile.EventTable // nil where they were not recorded
	// Open opens what was read, to be read again for what was allocated when; nil where it cannot be
	Open func() (io.ReadCloser, error)
}
