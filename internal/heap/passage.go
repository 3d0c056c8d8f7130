package heap

import "mallard/internal/abi"

// oldest is the highest age in survivor spaces.
const oldest = abi.HeapAges - 1

// passage is one class's way through a collection, without what is humongous.
type passage struct {
	eden     Amount             // before it, in eden
	young    [oldest + 1]Amount // before it, by age, what is in eden too
	old      Amount             // before it, where it has looked
	survived [oldest + 1]Amount // behind it, in survivor spaces, by age
	moved    Amount             // behind it, elsewhere
}

// passThrough has the classes' ways through a collection.
func passThrough(s *state, passages *touched[passage]) {
	add := func(to *Amount, a Amount) { *to = to.plus(a) }
	for at, e := range s.gone.all() {
		p := passages.of(e.class)
		switch at.space {
		case Eden:
			add(&p.eden, e.Amount)
			add(&p.young[0], e.Amount)
		case Survivor:
			add(&p.young[at.age], e.Amount)
		case Old:
			add(&p.old, e.Amount)
		}
	}
	for at, e := range s.moved.all() {
		p := passages.of(e.class)
		switch at.space {
		case Survivor:
			add(&p.survived[at.age], e.Amount)
		case Eden, Old:
			add(&p.moved, e.Amount)
		}
	}
}

// promoted is what came to the old generation from the young one, if those of the old one that were moved are the first
// of what was. What a full collection leaves in eden counts as well.
func (p *passage) promoted() Amount { return p.moved.minus(p.moved.atMost(p.old)) }

// arrivals hear of objects of an age that have come to a collection, which has made some old and found some dead.
type arrivals func(age int, were, old, died Amount)

// youngOnly says what a young collection, or a mixed one, has done: those of an age are one older, or promoted, or
// dead.
func (p *passage) youngOnly(arrive arrivals) {
	promoted := p.promoted()
	survived := p.survived
	for age := oldest; age >= 0; age-- {
		were := p.young[age]
		if were == (Amount{}) {
			continue
		}
		live := were.atMost(survived[min(age+1, oldest)])
		survived[min(age+1, oldest)] = survived[min(age+1, oldest)].minus(live)
		left := were.minus(live)
		old := left.atMost(promoted)
		promoted = promoted.minus(old)
		arrive(age, were, old, left.minus(old))
	}
}

// everything says what a full collection has done.
func (p *passage) everything(arrive arrivals) {
	live := p.moved
	for _, a := range p.survived {
		live = live.plus(a)
	}
	live = live.minus(live.atMost(p.old))
	for age := oldest; age >= 0; age-- {
		were := p.young[age]
		if were == (Amount{}) {
			continue
		}
		old := were.atMost(live)
		live = live.minus(old)
		arrive(age, were, old, were.minus(old))
	}
}
