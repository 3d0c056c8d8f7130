package heap

import (
	"time"

	"mallard/internal/profile"
)

// Growing is the class that grows most, where that is sure.
type Growing struct {
	GrowthRow               // of all of the recording, in bytes
	Full      bool          // from full collection to full collection; else after all
	Name      string        // of the class
	Site      *profile.Site // that makes what grows, where the History tells sites apart and it is known; else nil
}

// What is sure to grow.
const (
	sureCollections = 5    // so many at least in the recording's last half
	sureFit         = 0.9  // R² at least
	sureShare       = 0.01 // of what is held in all it grows by more, in a minute
	sureOn          = 0.5  // in the last half it grows by so much of its slope at least: it goes on
)

// Growing asks what is sure to grow: in all of the recording, and in its last half, too. A cache that fills, and then
// is full, is not. Nor is garbage that waits in the old generation: where there are few full collections, one of these,
// or a marking of G1's, has to come in the middle of that half, which would leave no straight line. Nil if there is
// nothing, or if events are missing.
func (h *History) Growing(q Query) *Growing {
	last := h.lastHalf()
	answer := &Growing{Full: last.full >= sureCollections}
	if last.all < sureCollections || !answer.Full && !last.old || h.Missing() > 0 {
		return nil
	}
	q.Sort = profile.SortBytes
	rows, fits := h.fit(&q, func(p *Pause) bool { return p.isCollection(answer.Full) }, 0, last.first)
	held := int64(0)
	for class := range rows {
		if Class(class) != Unused {
			held = saturated(held, rows[class].Held.Bytes)
		}
	}
	enough := sureShare * float64(held) / time.Minute.Seconds()
	found := false
	for class, selected := range h.selects(&q) {
		if !selected || Class(class) == Unused {
			continue
		}
		slope, fit, _ := fits[0].slope(class)
		lately, fitLately, _ := fits[1].slope(class)
		if min(fit, fitLately) < sureFit || min(slope, lately) <= enough || lately < sureOn*slope {
			continue
		}
		if !found || slope > answer.Slope {
			found, answer.GrowthRow = true, rows[class]
			answer.Class, answer.Slope, answer.Fit, answer.Fitted = Class(class), slope, fit, true
		}
	}
	if !found {
		return nil
	}
	answer.Name, answer.Site = h.Name(answer.Class), h.Site(answer.Class)
	return answer
}

// half is the last half of a recording's time.
type half struct {
	first     int  // pause
	full, all int  // collections
	old       bool // in the third of it that is in the middle, garbage was looked for in the old generation
}

func (h *History) lastHalf() (last half) {
	if len(h.Pauses) == 0 {
		return half{}
	}
	end := h.Pauses[len(h.Pauses)-1].Time()
	for last.first < len(h.Pauses) && h.Pauses[last.first].Time() < end/2 {
		last.first++
	}
	for i := last.first; i < len(h.Pauses); i++ {
		p := &h.Pauses[i]
		if p.isCollection(true) {
			last.full++
		}
		if p.isCollection(false) {
			last.all++
		}
		last.old = last.old || p.looksAtOld() && p.Time() > end/6*4 && p.Time() < end/6*5
	}
	return last
}

// looksAtOld reports whether dead objects in the old generation are found in a pause, or soon behind it: G1 has pauses
// that collect nothing at the end of its markings.
func (p *Pause) looksAtOld() bool {
	return p.Freed || p.isCollection(true) || !p.Ended && p.Collected == Nothing && p.Collection != None
}
