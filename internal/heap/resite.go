package heap

// resite gives objects their sites that had none yet when they were seen: whose constructor was running when the world
// stopped. What a collection has left more of a site than there was, it had found without one.
func (c *classes) resite(s *state) {
	if c.tagged == nil {
		return
	}
	more := map[Class]Amount{}
	for _, e := range s.moved.all() {
		if c.made[e.class].Site != nil {
			more[e.class] = more[e.class].plus(e.Amount)
		}
	}
	for _, e := range s.gone.all() {
		if c.made[e.class].Site != nil {
			more[e.class] = more[e.class].minus(e.Amount)
		}
	}
	for class, a := range more {
		if a.Objects > 0 && a.Bytes > 0 {
			c.move(s, c.unsited[class], class, a)
		}
	}
}

// move has objects that were there before the collection be of another class, as far as there are as many.
func (c *classes) move(s *state, from, to Class, a Amount) {
	for at, t := range s.gone.places {
		sum := Amount{}
		for _, e := range t.entries {
			if e.class == from {
				sum = sum.plus(e.Amount)
			}
		}
		part := sum.atMost(a)
		if part.Objects == 0 || part.Bytes == 0 {
			continue
		}
		a = a.minus(part)
		change := []entry{{from, Amount{}.minus(part)}, {to, part}}
		s.gone.add(at, change...)
		s.born.add(place{space: Eden}, change...)
		if a.Objects <= 0 {
			return
		}
	}
}
