package classes

import (
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/adapt"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Limits of adaptation.
const (
	maxAdaptations = 3 // of a class
	// increments that a class would not have made so far: a millisecond, which a new version costs about as well
	minSaved = 1_000_000
)

// soonHot is what is hot for AdaptSoon.
const soonHot = 10

// candidate is a class that may be better placed again.
type candidate struct {
	key      Key
	version  *Version
	totals   []counters.Total
	original *stored
}

// Decide finds classes that are to be retransformed: those that were missed, else those that are better placed again,
// by what their counters say.
func (t *Table) Decide() []Order {
	if orders := t.missedOrders(); len(orders) > 0 || !t.options.Adapts {
		return orders
	}
	started := time.Now()
	hot, minimum := int64(adapt.Hot), int64(minSaved)
	if t.options.AdaptSoon {
		hot, minimum = soonHot, 0
	}
	var orders []Order
	for _, c := range t.candidates(max(minimum, 1)) {
		d := t.decide(c, hot, max(minimum, 1))
		if d == nil {
			continue
		}
		if o := t.order(c.key, d, minimum, started); o != nil {
			orders = append(orders, *o)
		}
		if len(orders) == maxBatch {
			break
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.adapted.DecisionNanos += int64(time.Since(started))
	return orders
}

// missedOrders are the classes that were missed and can be retransformed.
func (t *Table) missedOrders() (orders []Order) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.missed.due(time.Now(), maxBatch) {
		orders = append(orders, Order{Key: m.key, missed: m})
	}
	return orders
}

// NextPresent gives the next of them that can be retransformed now. The first time that there is none, it says what
// became of them.
func (t *Table) NextPresent() (orders []Order, summary string) {
	if orders = t.missedOrders(); len(orders) > 0 {
		return orders, ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &t.missed.present
	if p.count == 0 || p.looked {
		return nil, ""
	}
	p.looked = true
	summary = fmt.Sprintf("%d of %d classes that it had loaded were changed within %v", p.later, p.count,
		time.Since(p.since).Round(10*time.Millisecond))
	if live, _ := t.missed.presentWaiting(); live > 0 {
		summary += fmt.Sprintf("; %d have methods that run, and wait", live)
	}
	return nil, summary
}

// candidates are the classes that may be placed again and have made at least so many increments that can be.
func (t *Table) candidates(minimum int64) (list []candidate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for key, c := range t.classes {
		if c.original == nil || c.refused || c.times >= maxAdaptations || now.Before(c.next) && !t.options.AdaptSoon {
			continue
		}
		if v := c.last(); t.totals.Adaptable(v.counters) >= minimum {
			list = append(list, candidate{key, v, t.totals.Of(v.counters), c.original})
		}
	}
	return list
}

// decide decides about a class; nil where no method of it ran often enough.
func (t *Table) decide(c candidate, hot, minimum int64) *adapt.Decision {
	methods, err := c.version.Methods()
	if err != nil {
		return t.refuse(c.key, err)
	}
	sum := int64(0)
	for i := range methods {
		if n := increments(&methods[i], c.totals); n >= hot && t.options.adaptableMethod(&methods[i]) {
			sum += n
		}
	}
	if sum < minimum {
		return nil
	}
	class, err := t.counted(c)
	if err != nil {
		return t.refuse(c.key, err)
	}
	d, err := class.Decide(hot, t.options.AdaptSoon)
	if err != nil {
		t.log.Debug("no decision", "class", c.key.Name, "error", err)
		d = &adapt.Decision{}
	}
	return d
}

// refuse has a class never considered again.
func (t *Table) refuse(key Key, why error) *adapt.Decision {
	t.log.Debug("class not adapted", "class", key.Name, "error", why)
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.classes[key]; c != nil {
		c.refused = true
	}
	return nil
}

// order carries a decision out; nil where it is to leave the class as it is.
func (t *Table) order(key Key, d *adapt.Decision, minimum int64, now time.Time) *Order {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.classes[key]
	switch {
	case c == nil: // unloaded meanwhile
		return nil
	case len(d.Methods) > 0 && d.Executed-int64(d.Expected) >= minimum:
		c.frequencies = d.Frequencies
		return &Order{Key: key, class: c, methods: d.Methods}
	}
	c.postpone(now)
	return nil
}

// increments is how many a method has made on its paths.
func increments(m *instrument.Method, totals []counters.Total) int64 {
	sum := int64(0)
	for _, c := range m.Counters {
		if c.Kind == instrument.Path {
			sum += totals[c.Number].Passed
		}
	}
	return sum
}

// counted gives a class with what the counters of its last version say.
func (t *Table) counted(c candidate) (*adapt.Class, error) {
	class, err := c.original.get()
	if err != nil {
		return nil, err
	}
	var o instrument.Options
	if t.options.Code != nil {
		t.options.Code(c.key.Loader, &o)
	}
	return &adapt.Class{
		Bytes: class, Strategy: t.options.Placement, Frequencies: c.version.frequencies, Tags: o.Tags,
		Counters: c.version.counters.Len(),
		Count: func(number uint32) int64 {
			if int(number) < len(c.totals) {
				return c.totals[number].Passed
			}
			return 0
		},
	}, nil
}

// Outcomes notes what became of orders, in their order.
func (t *Table) Outcomes(orders []Order, m *transport.Retransformed) {
	if len(orders) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if orders[0].missed != nil { // so are all
		for i := range m.Outcomes {
			t.missed.retransformed(orders[i].missed, m.Outcomes[i].Outcome)
		}
		return
	}
	t.adapted.Batches++
	t.adapted.JVMNanos += int64(m.Nanoseconds)
	for i := range m.Outcomes {
		if w := orders[i].watch; w != nil {
			w.outcome(m.Outcomes[i].Outcome)
			t.watch.changed(m.Outcomes[i].Outcome, time.Duration(m.Nanoseconds)/time.Duration(len(orders)))
			continue
		}
		c := orders[i].class
		switch m.Outcomes[i].Outcome {
		case abi.OutcomeDone:
			t.adapted.Classes++
			c.wait = 0
			if len(orders[i].methods) > 0 {
				c.times++
			}
			if c.adapted == nil {
				c.adapted = map[string]bool{}
			}
			for _, method := range orders[i].methods {
				if !c.adapted[method] {
					c.adapted[method] = true
					t.seen.Adapted++
				}
			}
		case abi.OutcomeLive:
			t.adapted.Live++
			c.postpone(time.Now())
			t.waiting.add(orders[i])
		default:
			t.adapted.Refused++
			c.refused = true
		}
	}
	t.putAdaptation()
}

// Finish records what adaptation was good for: the increments that adapted methods made, and those that they would have
// made without.
func (t *Table) Finish() {
	t.putMissed()
	for _, c := range t.adaptedClasses() {
		class, err := t.counted(c)
		var executed int64
		var baseline float64
		if err == nil {
			executed, baseline, err = class.Baseline()
		}
		if err != nil {
			t.log.Debug("no final statistics", "class", c.key.Name, "error", err)
			continue
		}
		t.adapted.Increments += executed
		t.adapted.Baseline += int64(baseline)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.adapted != (trace.Adaptation{}) {
		t.putAdaptation()
	}
	seen := t.seen
	t.out.Put(&seen)
}

// putMissed records what was lost by classes that were missed.
func (t *Table) putMissed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if loss := t.missed.loss(); loss != nil {
		t.out.Put(loss)
	}
	if loss := t.missed.present.loss(t.missed.presentWaiting()); loss != nil {
		t.out.Put(loss)
	}
}

// adaptedClasses lists the classes that were placed again.
func (t *Table) adaptedClasses() (list []candidate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, c := range t.classes {
		if c.times > 0 && c.original != nil {
			v := c.last()
			list = append(list, candidate{key, v, t.totals.Of(v.counters), c.original})
		}
	}
	return list
}

// putAdaptation records what adaptation has come to.
func (t *Table) putAdaptation() {
	record := t.adapted
	t.out.Put(&record)
}
