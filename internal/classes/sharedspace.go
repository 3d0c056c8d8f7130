package classes

import (
	"sync"

	"mallard/internal/counters"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// reservedNumbers is how many counter numbers the agent may give to classes out of the cache before it has to ask. A
// part of what there is before the first thread is started, when the runtime class has room for 32,768: what the agent
// does not use then, some 5,000, makes the numbers of other early classes higher.
const reservedNumbers = 1 << 13

// sharedSpace is the space of counter numbers, of which a range is reserved for the agent where it takes classes out of
// the cache by itself.
type sharedSpace struct {
	*counters.Space
	ring   *transport.MessageRing // which has the reserved range
	shared bool

	mu sync.Mutex // held while a range is reserved
}

func newSharedSpace(space *counters.Space, ring *transport.MessageRing, shared bool) *sharedSpace {
	s := &sharedSpace{Space: space, ring: ring, shared: shared}
	s.reserveBelow(reservedNumbers)
	return s
}

// reserveBelow reserves a range where the agent has fewer numbers left: those that it has, and those that come after
// them.
func (s *sharedSpace) reserveBelow(minimum uint32) {
	if !s.shared || s.ring.Reserved() >= minimum {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left, end := s.ring.Reserve(0, 0)
	if trace.CounterID(end) <= s.End() {
		s.Free([]counters.Range{{First: trace.CounterID(left), End: trace.CounterID(end)}})
	}
	if r, ok := s.TakeSome(reservedNumbers); ok {
		s.ring.Reserve(uint32(r.First), uint32(r.End))
	}
}
