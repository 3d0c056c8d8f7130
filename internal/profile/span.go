package profile

import (
	"fmt"
	"io"
	"slices"
	"time"

	"mallard/internal/trace"
)

// FoldSpan folds what was allocated in a span, given a reader from its beginning (trace.File.From), which is used up.
// What names things and what was counted since the keyframe before is read, no more, and others are given it as well.
// Errors are those of Fold, and *trace.NoSnapshot.
func FoldSpan(reader *trace.FromReader, span Span, also ...Consumer) (*Profile, error) {
	f := newFolder(also...)
	begun, stopped := span.From <= 0, false
	found, last := Span{}, time.Duration(0)
	var snapshots trace.Snapshots
	for {
		record, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
		f.add(record)
		nanos, is := snapshots.Ends(record)
		at := time.Duration(nanos)
		if is {
			last = at
		}
		switch {
		case !is || stopped:
		case !begun && at >= span.From:
			f.rebase()
			begun, found.From = true, at
		case begun && span.To > 0 && at >= span.To:
			stopped, found.To = true, at
			reader.Close()
		}
	}
	f.damage = reader.Damage()
	switch {
	case f.records == 0:
		return nil, fmt.Errorf("profile: %w", ErrEmpty)
	case !begun:
		return nil, &trace.NoSnapshot{From: int64(span.From), End: f.nanos}
	case !stopped && f.end == nil && last > found.From:
		found.To = last // nothing was counted behind it
	case !stopped:
		found.To = time.Duration(f.nanos)
	}
	if stopped || found.From > 0 {
		f.lose("live-frames", 0, "the span begins or ends while methods were running: its counts are exact except "+
			"for methods still on a stack")
		f.jvmBytes = 0 // is of all the recording
	}
	p := f.finish(nil)
	p.Span = &found
	return p, nil
}

// rebase forgets what was counted so far: from here on, amounts are those of later changes.
func (f *folder) rebase() {
	f.increments = 0
	f.merged, f.keptCells = thread{}, 0
	for id, t := range f.threads {
		if t.ended {
			delete(f.threads, id)
			continue
		}
		t.sums, t.cells, t.jvmBytes = map[int32]cell{}, nil, 0
		t.values.each(0, maxCounters, func(counter uint32, value *int64) {
			if *value != 0 {
				f.subtract(t.sums, f.meanings.get(counter), *value)
			}
		})
	}
	c := &f.contexts
	c.terms, c.summed = nil, 0
	c.base = contextBase{slices.Clone(c.counts), slices.Clone(c.values)}
}
