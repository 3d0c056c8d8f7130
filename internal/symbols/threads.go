package symbols

import (
	"fmt"

	"mallard/internal/trace"
)

// Thread is what a recording says of a Java thread. Virtual threads appear as their carrier.
type Thread struct {
	Name    string
	Carrier bool  // ran virtual threads
	JavaID  int64 // Thread.threadId(), 0 unknown
}

// UnnamedThread is a thread of which nothing is known but its number.
func UnnamedThread(id trace.ThreadID) Thread { return Thread{Name: fmt.Sprintf("thread %d", id)} }

// Describe takes what a record says of the thread.
func (t *Thread) Describe(r *trace.Thread) {
	if r.Name != "" {
		t.Name = r.Name
	}
	t.Carrier = t.Carrier || r.Carrier
	t.JavaID = r.JavaID
}
