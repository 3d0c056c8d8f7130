package heap

import (
	"cmp"
	"slices"
	"time"
)

// fates hear what becomes of objects, as far as sums tell it. Born is a pause: of what is humongous the one by which it
// was born, of others the one whose collection was the first to come to them.
type fates interface {
	met(class Class, born int, a Amount)       // by a first collection; less than none: by none after all
	died(class Class, born, age int, a Amount) // Age is the collections that they had come through
	left(class Class, born, age int, a Amount) // they were seen for the last time, after so many collections
}

// followSums has fates hear of all objects, and gives what each class has cost, as Lifetime.Cost.
func (h *History) followSums(to fates) []time.Duration {
	of, whole := h.wholes()
	n := len(of.classes.names)
	sums := lifetimes{to: to, whole: make([]Class, n), cost: make([]time.Duration, len(h.classes.names)),
		passages: newTouched[passage](n), humongous: map[uint32]birth{}, filled: newTouched[int64](n)}
	for class := range sums.whole {
		sums.whole[class] = whole(Class(class))
	}
	for i, s := range of.states(len(h.Pauses)) {
		sums.add(i, s, i == 0 && h.IsLate())
	}
	return sums.cost
}

// lifetimes follow what becomes of objects.
type lifetimes struct {
	to          fates
	whole       []Class // whose fate that of a class is
	cost        []time.Duration
	passages    *touched[passage]
	collections int              // so far, without pauses that collected nothing of the young generation
	young       []int            // the pauses of those of them in which objects get older
	humongous   map[uint32]birth // by region
	filled      *touched[int64]  // bytes of eden, since the last collection
}

// birth is when something humongous was born.
type birth struct {
	pause       int // by which it was
	collections int // before it, or unknownBirth
}

// unknownBirth is when something humongous was born that was there before all that is known, or came from nowhere.
const unknownBirth = -1

func (l *lifetimes) met(c Class, born int, a Amount) { l.to.met(l.whole[c], born, a) }

func (l *lifetimes) died(c Class, born, age int, a Amount) { l.to.died(l.whole[c], born, age, a) }

func (l *lifetimes) left(c Class, born, age int, a Amount) { l.to.left(l.whole[c], born, age, a) }

// add adds a pause. Where what was born before it is old, nobody knows how old.
func (l *lifetimes) add(i int, s *state, old bool) {
	for at, e := range s.born.all() {
		if at.space == Eden && e.class != Unused {
			bytes := l.filled.of(e.class)
			*bytes = saturated(*bytes, e.Bytes)
		}
		switch born, known := l.humongous[at.region]; {
		case at.space != Humongous || known && born.collections == unknownBirth:
		case old:
			l.humongous[at.region] = birth{collections: unknownBirth}
		default:
			l.humongous[at.region] = birth{i, l.collections}
			l.met(e.class, i, e.Amount)
		}
	}
	if s.Ended {
		l.end(s.heap)
		return
	}
	l.leave(s)
	if s.Collected == Nothing {
		return
	}
	l.collections++
	l.share(s)
	passThrough(s, l.passages)
	l.young = append(l.young, i)
	for _, class := range l.passages.list {
		arrive := func(age int, were, old, died Amount) { l.pass(class, age, were, old, died) }
		if p := l.passages.of(class); s.Collected == Everything {
			p.everything(arrive)
		} else {
			p.youngOnly(arrive)
		}
	}
	if s.Collected == Everything {
		l.young = l.young[:len(l.young)-1]
	}
	l.passages.clear()
}

// pass has objects of an age come to a collection.
func (l *lifetimes) pass(class Class, age int, were, old, died Amount) {
	born := l.bornBefore(age)
	if age == 0 {
		l.met(class, born, were)
	}
	l.left(class, born, age+1, old)
	l.died(class, born, age, died)
}

// bornBefore is the pause by which objects of an age were born, the last one for those that have none. Of those that
// were there before all that is known it is the first.
func (l *lifetimes) bornBefore(age int) int {
	if len(l.young) == 0 {
		return 0
	}
	return l.young[max(0, len(l.young)-1-age)]
}

// share has those that filled eden bear the cost of a young collection.
func (l *lifetimes) share(s *state) {
	total := int64(0)
	for _, class := range l.filled.list {
		total = saturated(total, *l.filled.of(class))
	}
	for _, class := range l.filled.list {
		if s.Collected == Young && total > 0 {
			part := float64(*l.filled.of(class)) / float64(total)
			l.cost[l.whole[class]] += time.Duration(part * float64(s.Stopped()))
		}
	}
	l.filled.clear()
}

// leave has humongous objects die whose regions are free, but for those that were moved: of a class the oldest.
func (l *lifetimes) leave(s *state) {
	type object struct {
		birth
		Amount
	}
	gone := map[Class][]object{}
	for at, e := range s.gone.all() {
		born, known := l.humongous[at.region]
		if at.space == Humongous && known && born.collections != unknownBirth {
			gone[e.class] = append(gone[e.class], object{born, e.Amount})
		}
	}
	for at := range s.gone.places { // what is unused behind an object is in its place, too
		if at.space == Humongous {
			delete(l.humongous, at.region)
		}
	}
	for class, list := range gone {
		slices.SortFunc(list, func(a, b object) int { return cmp.Compare(b.pause, a.pause) })
		gone[class] = list
	}
	for at, e := range s.moved.all() {
		switch n := len(gone[e.class]); {
		case at.space != Humongous:
		case n == 0:
			l.humongous[at.region] = birth{collections: unknownBirth}
		default:
			l.humongous[at.region] = gone[e.class][n-1].birth
			gone[e.class] = gone[e.class][:n-1]
		}
	}
	for class, list := range gone {
		for _, o := range list {
			l.died(class, o.pause, l.collections-o.collections, o.Amount)
		}
	}
}

// end has those that live, and takes out those that no collection has come to.
func (l *lifetimes) end(heap *Heap) {
	for at, e := range heap.all() {
		born, known := l.humongous[at.region]
		switch {
		case at.space == Humongous && (!known || born.collections == unknownBirth):
		case at.space == Humongous && born.collections == l.collections:
			l.met(e.class, born.pause, Amount{}.minus(e.Amount))
		case at.space == Humongous:
			l.left(e.class, born.pause, l.collections-born.collections, e.Amount)
		case at.space == Survivor && at.age > 0:
			l.left(e.class, l.bornBefore(int(at.age)-1), int(at.age), e.Amount)
		}
	}
}
