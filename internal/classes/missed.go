package classes

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// missedClass is a class that came to be defined, or changed, while the recorder did not answer.
type missedClass struct {
	key Key
	adaptation
}

var errMissed = errors.New("the recorder did not answer in time")

// Missed notes that a class stays as it is, since the JVM did not wait for an answer. It is retransformed as soon as
// may be, and counts from then on.
func (t *Table) Missed(key Key, redefined bool) {
	if key.Name == "" {
		return // nobody can ask for it
	}
	known := t.noteMissed(key)
	t.skip(key, redefined || known, errMissed)
}

// noteMissed has a class retransformed later. It reports whether a version of it is there.
func (t *Table) noteMissed(key Key) (known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.classes[key]
	if c != nil {
		c.missed = true
	}
	t.missed = append(t.missed, &missedClass{key: key})
	t.missedCount++
	return c != nil
}

// ordersOfMissed are the classes that were missed and can be retransformed.
func (t *Table) ordersOfMissed() (orders []Order) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for _, m := range t.missed {
		if len(orders) < maxBatch && m.due(now) {
			orders = append(orders, Order{Key: m.key, missed: m})
		}
	}
	return orders
}

// outcomesOfMissed notes what became of orders of missed classes, under the lock.
func (t *Table) outcomesOfMissed(orders []Order, m *transport.Retransformed) {
	over := map[*missedClass]bool{}
	for i := range m.Outcomes {
		switch missed := orders[i].missed; m.Outcomes[i].Outcome {
		case abi.OutcomeLive:
			missed.postpone(time.Now())
		case abi.OutcomeDone:
			t.missedLater++
			fallthrough
		default:
			over[missed] = true
		}
	}
	t.missed = slices.DeleteFunc(t.missed, func(c *missedClass) bool { return over[c] })
}

// forgetMissed forgets those of loaders that are gone, under the lock.
func (t *Table) forgetMissed(loaders []trace.LoaderID) {
	if len(t.missed) == 0 {
		return
	}
	gone := map[trace.LoaderID]bool{}
	for _, l := range loaders {
		gone[l] = true
	}
	t.missed = slices.DeleteFunc(t.missed, func(m *missedClass) bool { return gone[m.key.Loader] })
}

// finishMissed records what was lost by classes that were missed.
func (t *Table) finishMissed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.missedCount == 0 {
		return
	}
	t.out.Put(&trace.Loss{Kind: "unanswered", Count: uint64(t.missedCount), Detail: fmt.Sprintf(
		"the recorder did not answer in time: of classes that were loaded then, %d count only from some time later "+
			"on, and %d not at all; \"mallard info\" names them", t.missedLater, t.missedCount-t.missedLater)})
}
