package profile

import (
	"fmt"
	"io"
	"time"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// Change is what one thread allocated at one site in one context since the snapshot before.
type Change struct {
	Site    int32 // index in Profile.Sites
	Context int32 // index in Profile.Contexts
	Thread  int32 // index in Profile.Threads; -1 for what the recording counts for none of them
	Amount  Amount
}

// Changes reads the recording of p again, which is of all of it, and gives each change of what was counted, and the
// time of each snapshot behind the changes that it has shown, since the start. The sum of the changes is what p has;
// those behind the last snapshot are what live frames say.
func (p *Profile) Changes(r io.Reader, change func(Change), snapshot func(at time.Duration)) error {
	reader, err := trace.NewReader(r)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	f, o := newFolder(), &p.origin
	f.changed = func(thread trace.ThreadID, node int32, c cell) {
		if int(c.site) >= len(o.sites) || o.sites[c.site] < 0 {
			return // nothing is left of it
		}
		what := Change{Site: o.sites[c.site], Context: NoContext, Thread: -1, Amount: o.sizes[c.site].amount(c)}
		if node != symbols.Lost {
			what.Context = o.context(node)
		} else if context, known := o.alone[c.site]; known {
			what.Context = context
		}
		if what.Context < 0 {
			return // the same
		}
		if i, known := o.indexes[thread]; known {
			what.Thread = i
		} else if last := len(p.Threads) - 1; last >= 0 && p.Threads[last].Merged > 1 {
			what.Thread = int32(last)
		}
		change(what)
	}
	return p.readAgain(reader.Next, f, func(at time.Duration, _ *trace.Mark) bool {
		snapshot(at)
		return true
	})
}
