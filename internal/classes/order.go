package classes

import (
	"time"

	"mallard/internal/trace"
)

// maxBatch is how many classes are retransformed at a time: each time stops the program for some milliseconds.
const maxBatch = 64

// An ImpliedSite is a site that is to give no tags to its objects any more, since those without one can be no other's.
type ImpliedSite struct {
	Tag   trace.CounterID // of the site, in some version of its class
	Class uint32          // of its objects, as walks of the heap number it
}

// Order is a class that is to be retransformed, so that its counters are placed again.
type Order struct {
	Key     Key
	class   *class
	methods []string
	watch   *watchedClass // where it is to tell what it reads, or not any more
	missed  *missedClass  // where the class is to count at last; nil: it counts already
	Implied []ImpliedSite // those of its sites that are to give no tags any more
}

// IsMissed reports whether the class did not count so far. Then so did those of all orders given at a time.
func (o *Order) IsMissed() bool { return o.missed != nil }

// IsWatch reports whether the class is to tell what it reads, or not any more.
func (o *Order) IsWatch() bool { return o.watch != nil }

// waitingOrders are of classes that had live frames, and are tried again: sites of theirs are to give no tags.
type waitingOrders []Order

func (w *waitingOrders) add(o Order) {
	if len(o.Implied) > 0 {
		*w = append(*w, o)
	}
}

// due takes those whose classes may be tried again.
func (w *waitingOrders) due(now time.Time) (orders []Order) {
	left := (*w)[:0]
	for _, o := range *w {
		if o.class.due(now) && len(orders) < maxBatch {
			orders = append(orders, o)
		} else {
			left = append(left, o)
		}
	}
	*w = left
	return orders
}
