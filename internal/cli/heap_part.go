package cli

import (
	"cmp"
	"os"
	"slices"
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
// the keyframe before the first one until the second is known, and with what rows are told apart by only where objects'
// tags say that.
func (p *program) openHeapFor(name string, when moments, by []heap.By) (*heapRecording, error) {
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
			if part = reader.IsAtKeyframe(); !part && when.to.text == momentEnd {
				return nil // that is all of it
			}
			*reading = *heap.NewReading(part)
			enough := func() bool { return when.to.isIn(reading, c) }
			fold := profile.FoldNames
			if slices.ContainsFunc(by, isTagged) {
				fold = profile.FoldTags
			}
			opened.profile, err = fold(reader, c.end, enough, reading, pauses)
			return err
		}, &opened.info)
		if err != nil {
			return nil, err
		}
		if opened.profile == nil {
			break
		}
		if r, err = newHeapRecording(opened, reading, pauses); err != nil {
			return nil, err
		}
		if !r.tagsTell(by) {
			break
		}
		r.part, r.uncounted = part, true
		if !part || r.has(when) {
			p.sayDamage(opened)
			return r, nil
		}
	}
	return p.openHeap(name) // what is asked for is not there, or earlier than keyframes say
}

// isTagged reports whether objects' tags tell rows apart.
func isTagged(by heap.By) bool {
	return by == heap.BySite || by == heap.ByContext || by == heap.ByThread
}

// tagsTell reports whether what rows are told apart by is known without counts. Without contexts it takes these to tell
// threads apart.
func (r *heapRecording) tagsTell(by []heap.By) bool {
	return !slices.ContainsFunc(by, isTagged) ||
		r.plain.IsTagged() && (r.profile.Tracked || !slices.Contains(by, heap.ByThread))
}

// has reports whether moments are known.
func (r *heapRecording) has(when moments) bool {
	_, fromErr := when.from.in(r.history, clockOf(r.profile))
	_, toErr := when.to.in(r.history, clockOf(r.profile))
	return fromErr == nil && toErr == nil
}
