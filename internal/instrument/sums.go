package instrument

import (
	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/placement"
)

// sums makes arrays add their lengths right after they were allocated, where a length differs from time to time and no
// path can stand for it. The first of an array's counters counts it; what that adds to φ has been chosen before. What
// multianewarray makes is counted here as well, and what calls make is as large as it turns out to be.
func (p *plan) sums(all []allocations.Allocation) error {
	for _, a := range all {
		adds := p.piggybacked[a.At]
		if a.Made == allocations.EndsChain && p.late[a.Begun] {
			a.Made, adds = allocations.CountsChain, placement.Unit(a.Begun)
		}
		first := p.sumCounters(a)
		if first == p.emit.Counters() {
			continue
		}
		if err := p.before(a, first); err != nil {
			return err
		}
		if p.emit.Traits().MadeAside && a.IsByClass(p.method.Sites) {
			p.method.Made = append(p.method.Made, first)
		}
		site := &p.method.Sites[a.First]
		var code []bytecode.Instruction
		var stack int
		var err error
		switch {
		case a.Made == allocations.Stops: // it is counted when the thread has stopped
			continue
		case a.Builder == allocations.Loose:
			code, stack, err = p.emit.Count(first)
		case a.Made != allocations.NoCall:
			code, stack, err = p.emit.Made(a.Made, first, p.code.Insns[a.At])
		case site.Kind == allocations.Multi:
			code, stack, err = p.emit.MultiArray(first, site.Type, a.Levels)
		default:
			code, stack, err = p.emit.Array(first, site.Type)
		}
		if err != nil {
			return err
		}
		if code, err = p.reporting(adds, code); err != nil {
			return err
		}
		p.insert(a.At+1, bytecode.FallThrough, nil, code, stack, adds)
	}
	return nil
}

// before puts code in front of a call that needs some.
func (p *plan) before(a allocations.Allocation, first uint32) error {
	code, stack, err := p.emit.Before(a.Made, first)
	if err == nil && len(code) > 0 {
		p.insert(a.At, bytecode.Always, nil, code, stack, nil)
	}
	return err
}

// sumCounters takes the numbers of the sums that an allocation's sites need, and gives the first.
func (p *plan) sumCounters(a allocations.Allocation) (first uint32) {
	first = p.emit.Counters()
	for site := a.First; site < a.First+a.Levels; site++ {
		adds := placement.Unit(site) // what no path can count
		switch p.method.Sites[site].Kind {
		case allocations.Instance:
			if a.Builder == allocations.Loose {
				p.addCounters(Counter{Kind: Arrays, Semantics: p.piggybacked[a.At], Site: site})
			} else if a.Made == allocations.MakesString {
				p.addConcatenated(a)
				return first
			}
		case allocations.ArrayLen:
			if site == a.First && a.OnPaths(p.method.Sites) {
				adds = p.piggybacked[a.At]
			} else if a.Made == allocations.TakesStrings {
				adds = adds.Add(placement.Unit(site + 1))
			} else if a.Made == allocations.EndsChain {
				adds = adds.Add(placement.Unit(site + 1)).Sub(placement.Unit(a.Begun)) // which was not made
			} else if a.Made == allocations.CountsChain {
				adds = adds.Add(placement.Unit(site + 1))
			}
			p.addCounters(Counter{Kind: Arrays, Semantics: adds, Site: site}, Counter{Kind: Elements, Site: site},
				Counter{Kind: Bytes, Site: site})
			if a.Made == allocations.CountsChain {
				p.addCounters(Counter{Kind: Arrays, Semantics: placement.Unit(a.Begun), Site: a.Begun})
			}
		case allocations.Multi:
			p.addCounters(Counter{Kind: Arrays, Semantics: adds, Site: site}, Counter{Kind: Elements, Site: site},
				Counter{Kind: Bytes, Site: site})
		case allocations.Called:
			p.addCounters(Counter{Kind: Elements, Site: site}, Counter{Kind: Bytes, Site: site})
		}
	}
	return first
}

// addConcatenated takes the numbers of the counters of a String and its byte[]: how many Strings, the elements and
// bytes of arrays, and how many more of these there were left than one for each String. That is mostly none, fewer
// where Strings share their arrays, and more where a call has left one that threw then.
func (p *plan) addConcatenated(a allocations.Allocation) {
	array := placement.Unit(a.First + 1)
	p.addCounters(Counter{Kind: Arrays, Semantics: p.piggybacked[a.At].Add(array), Site: a.First},
		Counter{Kind: Elements, Site: a.First + 1}, Counter{Kind: Bytes, Site: a.First + 1},
		Counter{Kind: Sum, Semantics: array})
}
