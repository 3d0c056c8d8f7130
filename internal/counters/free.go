package counters

import (
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/transport"
)

// End takes the last counts of a thread that has ended, and frees its block.
func (s *Threads) End(m *transport.ThreadEnd) {
	b, t := Block(m.Thread.Block), s.Describe(&m.Thread)
	s.Allocated(b, t, m.Allocated)
	s.ended.Bytes += m.Allocated
	s.snapshot(b, t, true)
	var restore func() error
	for _, e := range s.Extensions {
		if r := e.Ended(b, t); r != nil {
			restore = r
		}
	}
	s.ended.Bytecodes += s.memory.Word(b, abi.WordExecuted)
	t.record.Ended = true
	s.put(t)
	delete(s.threads, b)
	s.last[b] = t
	if err := s.memory.free(b, restore); err != nil {
		s.out.Loss("counters", fmt.Sprintf("the counter block of an ended thread could not be freed: %v", err))
	}
}

// Clear makes words of all blocks zero that nobody counts in.
func (s *Threads) Clear(words []Range) error {
	for _, b := range s.memory.Used() {
		if err := s.memory.clear(b, words); err != nil {
			return err
		}
	}
	return nil
}

// Recycle makes numbers free whose counts have been recorded: whoever gets them counts from 0.
func (s *Threads) Recycle(numbers []Range) {
	if err := s.Clear(numbers); err != nil {
		s.out.Loss("counters", fmt.Sprintf("counters of unloaded classes cannot be used again: %v", err))
		return
	}
	for _, r := range numbers {
		s.totals.clear(r)
		for _, t := range s.threads {
			for c := r.First; c < r.End; c++ {
				delete(t.values, c)
			}
		}
	}
	s.forgetMade()
	s.space.GiveBack(numbers, time.Duration(s.out.Elapsed()))
}

// forgetMade has threads, and the agent, ask anew where they count what calls make: they may have remembered numbers
// that others are about to get. Who finds half an entry asks, too.
func (s *Threads) forgetMade() {
	s.givenBack++
	err := s.memory.PutWords(abi.OverflowBlock, []Word{{abi.WordGivenBack, s.givenBack}})
	for _, b := range s.memory.Used() {
		if err == nil {
			err = s.memory.clear(b, []Range{{abi.WordCaller, abi.WordCaller + 1}, {abi.WordMade, abi.FirstCounter}})
		}
	}
	if err != nil {
		s.out.Loss("counters", fmt.Sprintf("threads may count what calls make for other classes: %v", err))
	}
}
