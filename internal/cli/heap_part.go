package cli

import (
	"cmp"
	"os"
	"time"

	"mallard/internal/heap"
	"mallard/internal/observe/collections"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// wholeUpTo is how large a recording is, bytes, of which all is read in about a second.
const wholeUpTo = 4 << 20

// momentsOf are a span's first and last.
func momentsOf(s *spanFlags) moments {
	return moments{moment{"from", cmp.Or(s.from, momentStart)}, moment{"to", cmp.Or(s.to, momentEnd)}}
}

// openHeapFor reads what says what was in the heap from one moment to another: of a large recording no more than from
// the keyframe before the first one until the second is known.
func (p *program) openHeapFor(name string, when moments) (*heapRecording, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() < wholeUpTo || when.from.text == momentStart {
		return p.openHeap(name)
	}
	var r *heapRecording
	for _, before := range []time.Duration{0, time.Minute} { // a collection may come while a keyframe is written
		opened := &recording{name: name}
		reading, pauses := heap.NewReading(false), profile.Events{collections.Name: nil}
		part := false
		err := p.withFile(name, func(file *trace.File) error {
			c, err := clockIn(file)
			if err != nil {
				return err
			}
			reader, err := when.from.reader(file, c, before)
			if err != nil {
				return err
			}
			part = reader.IsAtKeyframe()
			*reading = *heap.NewReading(part)
			enough := func() bool { return when.to.isIn(reading, c) }
			opened.profile, err = profile.FoldNames(reader, c.end, enough, reading, pauses)
			return err
		}, &opened.info)
		if err != nil {
			return nil, err
		}
		if r, err = newHeapRecording(opened, reading, pauses); err != nil {
			return nil, err
		}
		if r.part = part; !part || r.has(when) {
			p.sayDamage(opened)
			return r, nil
		}
	}
	return p.openHeap(name) // what is asked for is not there, or earlier than keyframes say
}

// has reports whether moments are known.
func (r *heapRecording) has(when moments) bool {
	_, fromErr := when.from.in(r.history, clockOf(r.profile))
	_, toErr := when.to.in(r.history, clockOf(r.profile))
	return fromErr == nil && toErr == nil
}
