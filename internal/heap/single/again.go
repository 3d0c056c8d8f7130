package single

import "iter"

// Event is the data of one, which may be elsewhere until somebody asks for them, as often as that is.
type Event interface {
	// Data are the same each time, and whose who asks until any event's are asked for.
	Data() []byte
}

// InMemory is an event whose data are here.
type InMemory []byte

// Data are these.
func (e InMemory) Data() []byte { return e }

// readAgain is an event of a walk whose objects are read whenever they are asked for.
type readAgain struct {
	event    Event
	meanings int // in the decoder's log, up to which numbers have changed what they mean when it came
}

// chunksOf gives the objects of events, and the event that each is of.
func chunksOf[E any](d *Decoder, events []E, of func(*E) *readAgain) iter.Seq2[*E, chunk] {
	return func(yield func(*E, chunk) bool) {
		if len(events) == 0 {
			return // there may be no decoder
		}
		at := d.meanings.now()
		defer func() { d.meanings.turn(d.known, at, d.meanings.now()) }()
		for i := range events {
			e := of(&events[i])
			d.meanings.turn(d.known, at, e.meanings)
			at = e.meanings
			in, good := d.open(e.event.Data())
			for good && in.left() > 0 {
				var c chunk
				if c, good = in.read(d.some[:]); good && !yield(&events[i], c) {
					return
				}
			}
		}
	}
}
