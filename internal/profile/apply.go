package profile

import "mallard/internal/trace"

// apply adds what a counter's value stands for.
func (f *folder) apply(sums map[int32]cell, m meaning, value int64) {
	switch m.kind {
	case trace.Path:
		f.increments += value
	case trace.Tag:
		return
	}
	if m.kind == trace.Packed && len(m.terms) > 0 {
		arrays, elements, others := trace.Unpack(value)
		s := m.terms[0].site
		_, width := sizer{process: f.process}.array(f.symbols.Sites[s].Def.Type)
		c := sums[s]
		c.site = s
		c.elements += elements
		c.bytes += elements*width + others
		sums[s] = c
		value = arrays
	}
	for _, t := range m.terms {
		c := sums[t.site]
		c.site = t.site
		switch m.kind {
		case trace.Path, trace.Arrays, trace.Packed, trace.Sum:
			c.objects += value * t.coefficient
		case trace.Elements:
			c.elements += value * t.coefficient
		case trace.Bytes:
			c.bytes += value * t.coefficient
		}
		sums[t.site] = c
	}
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
	before, increments := map[int32]cell{}, f.increments
	f.apply(before, m, value)
	f.increments = increments - (f.increments - increments)
	for site, b := range before {
		c := sums[site]
		c.site = site
		c.objects -= b.objects
		c.elements -= b.elements
		c.bytes -= b.bytes
		sums[site] = c
	}
}

// difference tells what a counter of a thread counted from one value to another.
func (f *folder) difference(thread trace.ThreadID, node int32, m meaning, before, now int64) {
	if before == now || m.kind == trace.Tag {
		return
	}
	if m.kind != trace.Packed { // what it stands for grows with it
		for _, t := range m.terms {
			n := (now - before) * t.coefficient
			c := cell{}
			switch m.kind {
			case trace.Path, trace.Arrays, trace.Sum:
				c.objects = n
			case trace.Elements:
				c.elements = n
			case trace.Bytes:
				c.bytes = n
			}
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
