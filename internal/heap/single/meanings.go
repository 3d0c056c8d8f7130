package single

// class is what is known of one.
type class struct {
	index    int32
	bytes    uint32
	known    bool
	differ   bool // its objects, in size
	follower follower
}

// follower is the class that followed another, in an event.
type follower struct{ event, class uint32 }

// meanings is a log of numbers that stand for other classes than they did, so that events can be read that came before
// that.
type meanings struct {
	list  []meaning
	first int // of the list, among all that were ever logged
}

// meaning is what a number stood for until then, or, while the log is turned back, from then on.
type meaning struct {
	number uint32
	class  class
}

// now is how far the log goes.
func (m *meanings) now() int { return m.first + len(m.list) }

// drop forgets what is only of use for events before a point of the log.
func (m *meanings) drop(before int) {
	if n := before - m.first; n > 0 {
		m.list = append(m.list[:0], m.list[n:]...)
		m.first = before
	}
}

// turn has numbers mean what they did at one point of the log, where they mean what they did at another one.
func (m *meanings) turn(known []class, from, to int) {
	for ; from > to; from-- {
		m.swap(known, from-1)
	}
	for ; from < to; from++ {
		m.swap(known, from)
	}
}

func (m *meanings) swap(known []class, at int) {
	of := &m.list[at-m.first]
	known[of.number], of.class = of.class, known[of.number]
}
