package heap

import (
	"cmp"
	"slices"

	"mallard/internal/heap/single"
)

// places has single objects in the order of addresses.
type places struct {
	list         []placed
	order, spare []uint64 // words behind the lowest address, and the index in the list
}

// placed is where an object is.
type placed struct {
	address uint64
	words   uint32
	class   Class
	place
}

const (
	indexBits = 30 // of a key: the others have room for 128 GB
	digitBits = 11 // that keys are sorted by at a time
)

// sort takes what is in a table.
func (p *places) sort(t *single.Table) {
	p.list, p.order = emptied(p.list, t.Most()), emptied(p.order, t.Most())
	lowest, highest := ^uint64(0), uint64(0)
	for o := range t.All() {
		p.order = append(p.order, uint64(len(p.list)))
		p.list = append(p.list, placed{o.Address, o.Words, Class(o.Class), place{Space(o.Space), 0, o.Region}})
		lowest, highest = min(lowest, o.Address), max(highest, o.Address)
	}
	if len(p.list) == 0 {
		return
	}
	most := (highest - lowest) / 8
	if most>>(64-indexBits) > 0 || len(p.list)>>indexBits > 0 {
		slices.SortFunc(p.order, func(a, b uint64) int { return cmp.Compare(p.list[a].address, p.list[b].address) })
		return
	}
	for i := range p.list {
		p.order[i] |= (p.list[i].address - lowest) / 8 << indexBits
	}
	p.spare = emptied(p.spare, t.Most())[:len(p.order)]
	for shift := indexBits; most > 0; shift, most = shift+digitBits, most>>digitBits {
		p.sortBy(shift)
	}
}

// emptied is a list without elements that has room for so many, that list if it has.
func emptied[T any](list []T, most int) []T {
	if cap(list) >= most {
		return list[:0]
	}
	return make([]T, 0, most+most/4)
}

// sortBy puts keys in order by one digit; those in which it is the same stay as they were.
func (p *places) sortBy(shift int) {
	const digit = 1<<digitBits - 1
	var next [digit + 1]int
	for _, key := range p.order {
		next[key>>shift&digit]++
	}
	at := 0
	for i, n := range next {
		next[i] = at
		at += n
	}
	for _, key := range p.order {
		p.spare[next[key>>shift&digit]] = key
		next[key>>shift&digit]++
	}
	p.order, p.spare = p.spare, p.order
}

// places has no two objects in one place, and those of a region, or of the old generation, with no others between.
func (c *Check) places(h *History, i int, t *single.Table, p *places) {
	p.sort(t)
	closed, last := map[place]bool{}, place{}
	var before placed
	for _, key := range p.order {
		o := p.list[key&(1<<indexBits-1)]
		c.Compared++
		if o.address < before.address+8*uint64(before.words) {
			c.violate(i, "%s at %#x is inside of %s at %#x", h.Name(o.class), o.address, h.Name(before.class),
				before.address)
		}
		before = o
		if o.place != last {
			closed[last] = true
			if closed[o.place] && o.space.IsOld() {
				c.violate(i, "%s at %#x is not where the others of its region are", h.Name(o.class), o.address)
			}
			last = o.place
		}
	}
}
