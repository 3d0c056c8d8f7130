package heap

import (
	"time"

	"mallard/internal/profile"
)

// Churning is that nearly all that is born dies in its first collection.
type Churning struct {
	Collections   int           // young ones
	Stopped       time.Duration // in them, without walks
	Time          time.Duration // of which all is known
	Born          Amount        // in eden, before them
	Died          Amount        // of that, in them, at least: what was promoted is taken to have been born right before
	Class         Class         // of which most died
	Name          string
	Site          *profile.Site // that makes it, where it is known; else nil
	Loaders       Loaders       // that had objects of the class by then
	Filled, Ended Amount        // of that class: born, died
}

// Rate is how many bytes of the class die in a second.
func (c *Churning) Rate() float64 { return float64(c.Ended.Bytes) / c.Time.Seconds() }

// What is sure to be churn.
const (
	churnCollections = 10
	churnShare       = 0.95 // of the bytes born die in their first collection
)

// churn adds up what young collections find, class by class, without mixed ones.
type churn struct {
	collections int
	stopped     time.Duration
	born, died  []Amount // by Class
}

func (c *churn) add(s *state, passages *touched[passage]) {
	if s.Ended || s.Kind() != YoungPause {
		return
	}
	c.collections++
	c.stopped += s.Stopped()
	for _, class := range passages.list {
		p := passages.of(class)
		lives := p.survived[0].plus(p.survived[1]).plus(p.moved)
		c.born[class] = c.born[class].plus(p.eden)
		c.died[class] = c.died[class].plus(p.eden.minus(p.eden.atMost(lives)))
	}
}

// churning is nil where that is not sure.
func (c *churn) churning(h *History, to int) *Churning {
	answer := &Churning{Collections: c.collections, Stopped: c.stopped, Time: h.Pauses[to].Time() - h.Begin()}
	for class, born := range c.born {
		if h.classes.mayBeUnused(Class(class)) {
			continue
		}
		answer.Born, answer.Died = answer.Born.plus(born), answer.Died.plus(c.died[class])
		if c.died[class].Bytes > answer.Ended.Bytes {
			answer.Class, answer.Filled, answer.Ended = Class(class), born, c.died[class]
		}
	}
	if c.collections < churnCollections || answer.Died.Bytes <= 0 || answer.Time <= 0 ||
		float64(answer.Died.Bytes) < churnShare*float64(answer.Born.Bytes) {
		return nil
	}
	answer.Name, answer.Site = h.Name(answer.Class), h.Site(answer.Class)
	return answer
}
