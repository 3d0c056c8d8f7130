package profile

import (
	"errors"
	"io"
	"time"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// Place is where something was allocated, as the recording numbers it: the same in each Profile of it.
type Place struct {
	Site   int32
	Node   int32 // of contexts; below 0: in none
	Thread trace.ThreadID
}

// Changes says when a recording allocated, which may go on: it is read once, from where it ended last time on. The
// zero value is not ready; NewChanges makes one.
type Changes struct {
	reader    *trace.Reader
	folder    *folder
	snapshots trace.Snapshots
	kept      *trace.Kept // what the first Profile said
	begun     bool
	seen      []bool  // by site: it has changed
	sizes     []sized // by site, of those
}

// NewChanges begins with the start of a recording.
func NewChanges(recording io.Reader) *Changes {
	return &Changes{reader: trace.NewTailReader(recording), folder: newFolder()}
}

// ErrAnother is the error of Changes whose recording is not the beginning of a Profile's, or where that knows more of
// what was read before: they are to begin anew.
var ErrAnother = errors.New("another recording than before")

// Read gives each change of what was counted up to where p was read, a Profile of the whole recording, and the time of
// each snapshot behind the changes that it has shown, since the start. The sum of all changes is what p has; those
// behind the last snapshot belong to the next one, or are what live frames say. Errors are ErrAnother and those of the
// recording's reader.
func (c *Changes) Read(p *Profile, change func(Place, Amount), snapshot func(at time.Duration)) error {
	f, o := c.folder, &p.origin
	if !c.begun {
		c.begun, c.kept = true, p.Kept
	}
	if f.records > o.records || !sameKept(c.kept, p.Kept) {
		return ErrAnother
	}
	for site, seen := range c.seen {
		if seen && (site >= len(o.sizes) || c.sizes[site] != o.sizes[site]) {
			return ErrAnother
		}
	}
	if more := len(o.sizes) - len(c.seen); more > 0 {
		c.seen = append(c.seen, make([]bool, more)...)
		c.sizes = append(c.sizes, make([]sized, more)...)
	}
	f.changed = func(thread trace.ThreadID, node int32, of cell) {
		if int(of.site) >= len(o.sizes) || f.symbols.Sites[of.site].Def.Kind == trace.Executed {
			return
		}
		c.seen[of.site], c.sizes[of.site] = true, o.sizes[of.site]
		if a := o.sizes[of.site].amount(of); !a.IsZero() {
			change(Place{of.site, node, thread}, a)
		}
	}
	err := p.readAgain(c.reader.Next, f, &c.snapshots, func(at time.Duration, _ *trace.Mark) bool {
		snapshot(at)
		return true
	})
	if err == nil && f.records < o.records {
		return ErrAnother
	}
	return err
}

func sameKept(a, b *trace.Kept) bool { return a == b || a != nil && b != nil && *a == *b }

// Find gives what a place is in the Profile: indexes in Contexts, Sites and Threads; false where nothing is left of it.
// The thread is -1 for what the recording counts for none of them.
func (p *Profile) Find(at Place) (context, site, thread int32, found bool) {
	o := &p.origin
	if int(at.Site) >= len(o.sites) || o.sites[at.Site] < 0 {
		return 0, 0, 0, false
	}
	context, thread = NoContext, -1
	if at.Node != symbols.Lost {
		context = o.context(at.Node)
	} else if alone, known := o.alone[at.Site]; known {
		context = alone
	}
	if i, known := o.indexes[at.Thread]; known {
		thread = i
	} else if last := len(p.Threads) - 1; last >= 0 && p.Threads[last].Merged > 1 {
		thread = int32(last)
	}
	return context, o.sites[at.Site], thread, context >= 0
}
