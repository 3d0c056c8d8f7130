package heap

import (
	"time"

	"mallard/internal/profile"
)

// Growing is a class that is sure to grow.
type Growing struct {
	GrowthRow               // of all of the recording, in bytes
	Full      bool          // from full collection to full collection; else after all
	Each      float64       // bytes from one of these collections to the next
	Name      string        // of the class
	Site      *profile.Site // that makes what grows, where the History tells sites apart and it is known; else nil
	Loaders   Loaders       // that have objects of the class at that moment
}

// Kept is how many bytes of every so many that were born were held at last: those of an object, on average, of those of
// as many as were born for each that is held.
func (g *Growing) Kept() (kept, born float64) {
	held := float64(max(g.Held.Objects, 1))
	return float64(g.Held.Bytes) / held, float64(g.Born.Bytes) / held
}

// What is sure to grow.
const (
	sureCollections = 5    // so many at least in the recording's last half
	sureFit         = 0.9  // R² at least
	sureShare       = 0.01 // of what is held in all it grows by more, in a minute;
	sureInAll       = 0.05 // or by more than this, of the time that is known
	sureOn          = 0.5  // in the last half, and lately, it grows by so much of its slope at least: it goes on
)

// mostGrowing is how many are named.
const mostGrowing = 5

// Growing asks what is sure to grow, up to a moment: in all of the recording, in its last half, and still. A cache that
// fills, and then is full, is not. Nor is garbage that waits in the old generation: where there are few full
// collections, one of these, or a marking of G1's, has to come in the middle of that half, which would leave no
// straight line. It names those that grow fastest. Nil if there is nothing, or if events are missing. Classes of one
// name are one: what is loaded anew again and again grows by loaders.
func (h *History) Growing(to int, q Query) []Growing {
	list := h.ByNames().growing(to, q)
	if len(list) > 0 {
		_, held := h.loadersUntil(to)
		for i := range list {
			list[i].Loaders.set(h, held(named{list[i].Name, list[i].Site}))
		}
	}
	return list
}

func (h *History) growing(to int, q Query) []Growing {
	if to < 0 {
		return nil
	}
	last := h.lastHalf(to)
	full := last.full >= sureCollections
	if last.all < sureCollections || !full && !last.old || h.missing(to) > 0 {
		return nil
	}
	q.Sort = profile.SortBytes
	looks := h.looks(to, full)
	lately := min(looks[len(looks)-sureCollections], h.from(to, 7, 8))
	rows, fits := h.fit(&q, looks, 0, last.first, lately)
	held := int64(0)
	for class := range rows {
		if !h.classes.mayBeUnused(Class(class)) {
			held = saturated(held, rows[class].Held.Bytes)
		}
	}
	enough := float64(held) * min(sureShare/time.Minute.Seconds(), sureInAll/(h.Pauses[to].Time()-h.Begin()).Seconds())
	first, end := h.Pauses[looks[0]].Finish, h.Pauses[looks[len(looks)-1]].Finish
	each := (end - first).Seconds() / float64(len(looks)-1)
	var list []Growing
	for class, selected := range h.selects(&q) {
		if !selected || h.classes.mayBeUnused(Class(class)) {
			continue
		}
		slope, fit, _ := fits[0].slope(class)
		half, fitHalf, _ := fits[1].slope(class)
		now, _, _ := fits[2].slope(class)
		if min(fit, fitHalf) < sureFit || min(slope, half) <= enough || min(half, now) < sureOn*slope {
			continue
		}
		g := Growing{GrowthRow: rows[class], Full: full, Each: slope * each, Name: h.Name(Class(class)),
			Site: h.Site(Class(class))}
		g.Class, g.Slope, g.Fit, g.Fitted = Class(class), slope, fit, true
		list = append(list, g)
	}
	return ranked(h, &Query{Top: mostGrowing}, list, func(g Growing) float64 { return g.Slope },
		func(g Growing) Key { return g.Key() })
}

// half is the last half of a recording's time, up to a moment.
type half struct {
	first     int  // pause
	full, all int  // collections
	old       bool // in the third of it that is in the middle, garbage was looked for in the old generation
}

func (h *History) lastHalf(to int) (last half) {
	begin := h.Begin()
	end := h.Pauses[to].Time() - begin
	last.first = h.from(to, 1, 2)
	for i := last.first; i <= to; i++ {
		p := &h.Pauses[i]
		if p.isCollection(true) {
			last.full++
		}
		if p.isCollection(false) {
			last.all++
		}
		last.old = last.old || p.looksAtOld() && p.Time() > begin+end/6*4 && p.Time() < begin+end/6*5
	}
	return last
}

// from is the first pause behind a part of the time up to a moment.
func (h *History) from(to int, part, of time.Duration) (i int) {
	begin := h.Begin()
	for begin += (h.Pauses[to].Time() - begin) / of * part; i < to && h.Pauses[i].Time() < begin; i++ {
	}
	return i
}

// looksAtOld reports whether dead objects in the old generation are found in a pause, or soon behind it: G1 has pauses
// that collect nothing at the end of its markings.
func (p *Pause) looksAtOld() bool {
	return p.Freed || p.isCollection(true) || !p.Ended && p.Collected == Nothing && p.Collection != None
}
