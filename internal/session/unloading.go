package session

import (
	"fmt"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// loadedClass is a version of a class that a loader defined, and the numbers that its code counts under.
type loadedClass struct {
	name     string
	id       trace.ClassID
	counters counterRange
}

// unload forgets the classes of loaders that the collector has freed. No frame and no object of theirs is left, so their counts are final: they are
// recorded, and the numbers are free for other classes.
func (s *Session) unload(p *wire.Payload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var gone []loadedClass
	for p.More() {
		loader := trace.LoaderID(p.Uint32())
		for _, c := range s.loaded[loader] {
			delete(s.classes, classKey{loader, c.name})
			gone = append(gone, c)
		}
		delete(s.loaded, loader)
	}
	if len(gone) == 0 || s.ended {
		return p.Err()
	}
	s.snapshot(false, 0)
	var numbers []counterRange
	for _, c := range gone {
		s.recording.Put(&trace.Retired{Class: c.id})
		numbers = append(numbers, c.counters)
	}
	s.recycle(joined(numbers))
	return p.Err()
}

// recycle makes numbers free whose counts have been recorded: whoever gets them counts from 0.
func (s *Session) recycle(numbers []counterRange) {
	for _, block := range s.blocks.used() {
		if err := s.blocks.clear(block, numbers); err != nil {
			s.recording.Loss("counter-blocks", fmt.Sprintf("counters of unloaded classes cannot be used again: %v", err))
			return
		}
	}
	for _, r := range numbers {
		clear(s.totals[r.first:r.end])
		for _, t := range s.threads {
			for c := r.first; c < r.end; c++ {
				delete(t.values, c)
			}
		}
	}
	s.counters.give(numbers)
}
