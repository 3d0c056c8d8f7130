package profile

import "mallard/internal/trace"

// apply adds what a counter's value stands for.
func (f *folder) apply(sums map[int32]cell, m meaning, value int64) {
	f.addIncrements(m, value)
	f.eachPart(m, value, func(c cell) { sums[c.site] = sums[c.site].plus(c) })
}

// addIncrements notes how often paths were counted.
func (f *folder) addIncrements(m meaning, value int64) {
	if m.kind == trace.Path {
		f.increments += value
	}
}

// eachPart gives what a counter's value stands for: cells of one site each, some of the same.
func (f *folder) eachPart(m meaning, value int64, yield func(cell)) {
	switch m.kind {
	case trace.Tag:
		return
	case trace.Packed:
		if len(m.terms) == 0 {
			return
		}
		arrays, elements, others := trace.Unpack(value)
		s := m.terms[0].site
		_, width := sizer{process: f.process}.array(f.symbols.Sites[s].Def.Type)
		yield(cell{site: s, elements: elements, bytes: elements*width + others})
		value = arrays
	}
	for _, t := range m.terms {
		yield(t.amount(m.kind, value))
	}
}

// amount is what a counter of a kind says of the term's site.
func (t term) amount(kind trace.CounterKind, value int64) cell {
	c, n := cell{site: t.site}, value*t.coefficient
	switch kind {
	case trace.Path, trace.Arrays, trace.Packed, trace.Sum:
		c.objects = n
	case trace.Elements:
		c.elements = n
	case trace.Bytes:
		c.bytes = n
	}
	return c
}

// foldCounters adds the thread's values of numbers to its sums and zeroes them.
func (f *folder) foldCounters(t *thread, numbers counterRange) {
	t.values.each(numbers.first, numbers.end, func(counter uint32, value *int64) {
		if *value == 0 {
			return
		}
		if t.sums == nil {
			t.sums = map[int32]cell{}
		}
		f.apply(t.sums, f.meanings.get(counter), *value)
		*value = 0
	})
}

// subtract takes back what a counter's value stands for.
func (f *folder) subtract(sums map[int32]cell, m meaning, value int64) {
	f.addIncrements(m, -value)
	f.eachPart(m, value, func(c cell) { sums[c.site] = sums[c.site].plus(c.negative()) })
}

// difference tells what a counter of a thread counted from one value to another.
func (f *folder) difference(thread trace.ThreadID, node int32, m meaning, before, now int64) {
	if before == now || m.kind == trace.Tag {
		return
	}
	if m.kind != trace.Packed { // what it stands for grows with it
		for _, t := range m.terms {
			c := t.amount(m.kind, now-before)
			at, thrownAt := f.throwingSite(node, t.site)
			c.site = thrownAt
			f.changed(thread, at, c)
		}
		return
	}
	sums, earlier := map[int32]cell{}, map[int32]cell{}
	f.apply(sums, m, now)
	f.apply(earlier, m, before)
	for site, c := range sums {
		b := earlier[site]
		at, thrownAt := f.throwingSite(node, site)
		f.changed(thread, at, cell{site: thrownAt, objects: c.objects - b.objects, elements: c.elements - b.elements,
			bytes: c.bytes - b.bytes})
	}
}
