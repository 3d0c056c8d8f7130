package heap

// courses follow, class by class, what is held and what has been born.
type courses struct {
	held, born []Amount // by Class
}

func newCourses(classes int) *courses {
	return &courses{make([]Amount, classes), make([]Amount, classes)}
}

// pass has a pause do what it did.
func (c *courses) pass(s *state) {
	for _, e := range s.born.all() {
		c.held[e.class] = c.held[e.class].plus(e.Amount)
		c.born[e.class] = c.born[e.class].plus(e.Amount)
	}
	for _, e := range s.gone.all() {
		c.held[e.class] = c.held[e.class].minus(e.Amount)
	}
	for _, e := range s.moved.all() {
		c.held[e.class] = c.held[e.class].plus(e.Amount)
	}
}

// Course is what was held of a class, and what had been born, point by point of a Timeline.
type Course struct {
	Class   Class
	Changes []Change // in the order of time; before the first there is nothing
}

// Change is what there is from a point on.
type Change struct {
	Point      int // index in Points
	Held, Born Amount
}

// set says what there is at a point.
func (c *Course) set(point int, held, born Amount) {
	now := Change{Point: point}
	if n := len(c.Changes); n > 0 {
		now.Held, now.Born = c.Changes[n-1].Held, c.Changes[n-1].Born
	}
	if held != now.Held || born != now.Born {
		c.Changes = append(c.Changes, Change{point, held, born})
	}
}
