package single

import (
	"math/rand/v2"
	"testing"

	"mallard/internal/abi"
)

// simulated is an object of a simulated heap. It is alone in its class, by which it is known again.
type simulated struct {
	class      uint64
	order      uint64 // 0: it is locked when walks come
	born       int
	old, alive bool
}

// simulation is a heap, and the agent that reads it: numbers are given from 1 to orders, and again.
type simulation struct {
	random  *rand.Rand
	orders  uint64
	last    uint64
	given   int64
	objects []*simulated // that are not known to be dead
	classes []*simulated // by class
}

// give has an object that is not locked have an order, as a walk gives them.
func (s *simulation) give(o *simulated) {
	if next := s.last%s.orders + 1; o.order == 0 || o.order == next {
		o.order, s.last = next, next
		s.given++
	}
}

// event tells objects.
func (s *simulation) event(space, origin uint32, objects []*simulated, locked float64) []byte {
	before := uint32(s.last)
	var list []listed
	for _, o := range objects {
		if o.order != 0 || s.random.Float64() >= locked {
			s.give(o)
		}
		list = append(list, listed{o.class, 2, o.order})
	}
	return event(space, origin, before, list...)
}

// TestGivenAgain follows objects through young and old collections while all numbers are given several times. Who has
// an identity has the right one; nobody is said to be dead who lives; who has none shares its number with another, was
// locked, or has met one that did.
func TestGivenAgain(t *testing.T) {
	const orders, births, pauses = 4000, 500, 60
	for seed := range uint64(20) {
		s := &simulation{random: rand.New(rand.NewPCG(seed, 17)), orders: orders}
		chance := func(of float64) bool { return s.random.Float64() < of }
		at := func(o *Object) *simulated { return s.classes[o.Class] }
		deaths := 0
		table := NewTable(Fates{
			Newborn: true,
			Lives: func(was, is *Object) {
				if was.Class != is.Class {
					t.Errorf("%d is taken for %d", is.Class, was.Class)
				}
			},
			Died: func(o *Object) {
				deaths++
				if at(o).alive {
					t.Errorf("%d lives", o.Class)
				}
			},
		})
		table.orders = orders
		decoder := NewDecoder(func(number uint32) (int32, uint32, bool) { return int32(number), 0, true })
		decoder.orders = orders
		var youngMoved, oldMoved []*simulated
		nameless := map[*simulated]bool{} // without being locked
		for pause := range pauses {
			w := &Walk{}
			add := func(space, origin uint32, objects []*simulated, locked float64) {
				if !w.Add(InMemory(s.event(space, origin, objects, locked)), decoder) {
					t.Fatal("an event is damaged")
				}
			}
			add(abi.HeapOld, abi.HeapMoved, oldMoved, 0.01)
			add(abi.HeapEden, abi.HeapMoved, youngMoved, 0.01)
			var born []*simulated
			for range births {
				o := &simulated{class: uint64(len(s.classes)), born: pause, alive: true}
				if chance(0.02) { // the program has asked for its hash
					o.order = 1 + s.random.Uint64N(orders)
				}
				s.classes, born = append(s.classes, o), append(born, o)
			}
			add(abi.HeapEden, abi.HeapBorn, born, 0.01)
			s.objects = append(s.objects, born...)
			w.Ended, w.End = true, End{Events: w.Events, Objects: w.Objects, Given: s.given}
			if pause > 0 {
				table.Arrive(pause-1, w, false)
			}
			table.Born(pause, w, pause == 0)

			living := map[uint64]int{}
			for _, o := range s.objects {
				living[o.order]++
			}
			has := map[*simulated]bool{}
			for o := range table.All() {
				is := at(o)
				has[is] = true
				if o.Order == 0 && is.order != 0 {
					nameless[is] = true
				}
				if o.Order != 0 && (uint64(o.Order) != is.order || living[is.order] > 1) {
					t.Errorf("%d has the number %d, should have %d, which %d have", o.Class, o.Order, is.order,
						living[is.order])
				}
				if o.Born != Unknown && o.Born != int32(is.born) {
					t.Errorf("%d was born before %d, not %d", o.Class, is.born, o.Born)
				}
			}
			for _, o := range s.objects {
				if !has[o] {
					t.Errorf("%d of pause %d is not in the table", o.class, o.born)
				}
			}

			// a collection
			everything := pause%5 == 4
			var kept []*simulated
			youngMoved, oldMoved = nil, nil
			for _, o := range s.objects {
				if o.alive && (o.old && chance(0.1) || !o.old && chance(0.6)) {
					o.alive = false
				}
				switch {
				case o.old && !everything:
				case !o.alive:
					continue
				case o.old || chance(0.3):
					o.old = true
					oldMoved = append(oldMoved, o)
				default:
					youngMoved = append(youngMoved, o)
				}
				kept = append(kept, o)
			}
			s.objects = kept
			var old func(*Object) bool
			if everything {
				old = func(*Object) bool { return true }
			}
			table.Leave(true, old)
		}
		t.Logf("%d numbers given, %d objects died, %d share a number, %d of a number given again, %d late, %d nameless",
			s.given, deaths, table.Shared, table.Again, table.Late, len(nameless))
		if s.given < 5*orders || table.Again == 0 || table.Shared == 0 || deaths < births*pauses/4 ||
			len(table.Twice) > 0 {
			t.Errorf("that is not what was to be tested: %+v", table.Gaps)
		}
		// besides, some that were locked have met a number that others share
		if counted := table.Shared + table.Again; counted > int64(len(nameless)) ||
			counted < int64(len(nameless))*99/100 {
			t.Errorf("%d are said to share a number, %d do", counted, len(nameless))
		}
	}
}
