package heap

import "mallard/internal/abi"

// oldest is the highest age in survivor spaces.
const oldest = abi.HeapAges - 1

// passage is one class's way through a collection, without what is humongous.
type passage struct {
	young    [oldest + 1]Amount // before it, by age
	old      Amount             // before it, where it has looked
	survived [oldest + 1]Amount // behind it, in survivor spaces, by age
	moved    Amount             // behind it, elsewhere
}

// passages are those of all classes that a collection has to do with.
func passages(s *state) map[Class]*passage {
	list := map[Class]*passage{}
	of := func(c Class) *passage {
		p := list[c]
		if p == nil {
			p = &passage{}
			list[c] = p
		}
		return p
	}
	add := func(to *Amount, a Amount) { *to = to.plus(a) }
	for at, e := range s.gone.all() {
		switch at.space {
		case Eden:
			add(&of(e.class).young[0], e.Amount)
		case Survivor:
			add(&of(e.class).young[at.age], e.Amount)
		case Old:
			add(&of(e.class).old, e.Amount)
		}
	}
	for at, e := range s.moved.all() {
		switch at.space {
		case Survivor:
			add(&of(e.class).survived[at.age], e.Amount)
		case Eden, Old:
			add(&of(e.class).moved, e.Amount)
		}
	}
	return list
}

// youngOnly says what a young collection, or a mixed one, has done: those of an age are one older, or promoted, or
// dead.
func (p *passage) youngOnly(l *Lifetime) {
	promoted := p.moved.minus(p.moved.atMost(p.old))
	survived := p.survived
	for age := oldest; age >= 0; age-- {
		were := p.young[age]
		live := were.atMost(survived[min(age+1, oldest)])
		survived[min(age+1, oldest)] = survived[min(age+1, oldest)].minus(live)
		left := were.minus(live)
		old := left.atMost(promoted)
		promoted = promoted.minus(old)
		l.pass(age, were, old, left.minus(old))
	}
}

// everything says what a full collection has done.
func (p *passage) everything(l *Lifetime) {
	live := p.moved
	for _, a := range p.survived {
		live = live.plus(a)
	}
	live = live.minus(live.atMost(p.old))
	for age := oldest; age >= 0; age-- {
		were := p.young[age]
		old := were.atMost(live)
		live = live.minus(old)
		l.pass(age, were, old, were.minus(old))
	}
}
