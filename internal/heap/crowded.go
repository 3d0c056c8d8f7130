package heap

import "time"

// Crowded is that full collections, which came because there was no room, have left nearly all that they found.
type Crowded struct {
	Collections int // so many full ones, the last ones
	Last        time.Duration
	Found, Left int64 // bytes, at the start of all of them, and at their end
	Most        int64 // of Found, in one of them
}

// What is sure to be a heap that is nearly full.
const (
	crowdedCollections = 3
	crowdedShare       = 0.9 // of what they found they left
	crowdedRoom        = 0.9 // of what the one that found most did each of them found at least: the heap did not grow
)

// room follows full collections.
type room struct{ list []fullCollection }

type fullCollection struct {
	at          time.Duration
	forRoom     bool
	found, left int64
}

func (r *room) add(s *state, cause string) {
	if !s.isCollection(true) {
		return
	}
	f := fullCollection{at: s.Finish, forRoom: forRoom[cause]}
	for space, left := range s.heap.bytes() {
		f.found, f.left = saturated(f.found, s.Found[space]), saturated(f.left, left)
	}
	if len(r.list) == crowdedCollections {
		r.list = append(r.list[:0], r.list[1:]...)
	}
	r.list = append(r.list, f)
}

// crowded is nil where that is not sure, or where the last of these collections was not in the last quarter of the
// time.
func (r *room) crowded(begin, end time.Duration) *Crowded {
	if len(r.list) < crowdedCollections {
		return nil
	}
	answer := &Crowded{Collections: len(r.list), Last: r.list[len(r.list)-1].at}
	for _, f := range r.list {
		answer.Found, answer.Left = saturated(answer.Found, f.found), saturated(answer.Left, f.left)
		answer.Most = max(answer.Most, f.found)
	}
	for _, f := range r.list {
		if !f.forRoom || float64(f.left) < crowdedShare*float64(f.found) ||
			float64(f.found) < crowdedRoom*float64(answer.Most) {
			return nil
		}
	}
	if answer.Found <= 0 || answer.Last < begin+(end-begin)/4*3 {
		return nil
	}
	return answer
}
