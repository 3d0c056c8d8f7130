package heap

import "mallard/internal/heap/single"

// Unknown is objects of which something is not known.
type Unknown struct {
	Births int64 // when they were born
	Ends   int64 // whether they live behind a collection that came to them
}

// following follows single objects from the pause by which each was born to the one whose collection found it dead, or
// that saw it last.
type following struct {
	selected []bool // by class: these are asked for
	spans    func(born int) bool
	unknown  *Unknown
	ended    func(o *single.Object, died bool) // an object that is asked for has lived until now

	moments []moment // by pause
	now     int      // the pause whose collection looks at objects
}

// moment is when a pause began.
type moment struct{ time, allocated, collections int64 }

// followSingles follows all objects that a collection has come to, but those that were born in the old generation.
func (h *History) followSingles(f *following) single.Gaps {
	s := &singles{walk: f.walk}
	s.Newborn = true
	s.Died = func(o *single.Object) { f.end(o, true) }
	s.Lost = func(o *single.Object) {
		isAgain := o.Born == single.Unknown && o.Order == 0 // it was counted when it had lost its identity
		if !isAgain && f.end(o, false) {
			f.unknown.Ends++
		}
	}
	for at := range h.replaySingles(len(h.Pauses), s) {
		f.now = at + 1
		if h.Pauses[at].Ended {
			f.now = at
			for o := range s.All() {
				if o.Born < 0 || f.moments[at].collections > f.moments[o.Born].collections {
					f.end(o, false)
				}
			}
		}
	}
	return s.Gaps
}

// walk takes the moment of one.
func (f *following) walk(i int, before, now *state) {
	m := moment{time: int64(now.Start)}
	if i > 0 {
		last := &f.moments[i-1]
		m.allocated, m.collections = last.allocated, last.collections
		if before.Collected != Nothing {
			m.collections++
		}
	}
	for _, e := range now.born.all() {
		if e.class != Unused {
			m.allocated = saturated(m.allocated, e.Bytes)
		}
	}
	f.moments = append(f.moments, m)
}

// end has an object have lived until now. False: it is not asked for, or nobody knows when it was born.
func (f *following) end(o *single.Object, died bool) bool {
	switch {
	case !f.selected[o.Class] || Class(o.Class) == Unused:
		return false
	case o.Born < 0:
		f.unknown.Births++
		return false
	case Space(o.Space) == Old && o.Promoted == single.Unknown: // born there
		return false
	case !f.spans(int(o.Born)):
		return false
	}
	f.ended(o, died)
	return true
}
