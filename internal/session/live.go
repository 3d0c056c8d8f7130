package session

import (
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/placement"
	"mallard/internal/trace"
)

// liveMethod is a method that frames are in.
type liveMethod struct {
	owned   *classes.Method // nil without counters
	runtime []byte          // the code of a method of a runtime class, nil for others
	context observe.FrameMethod
}

// liveStack collects a thread's frames, from the innermost on.
type liveStack struct {
	innermost bool // the next frame is
	counted   bool // the innermost frame is the runtime class's, and has only to return
	called    bool // there are frames, the runtime class's aside
	frames    []liveFrame
}

// liveFrame is an invocation that had not ended.
type liveFrame struct {
	observe.Frame
	owned *classes.Method
	phi   placement.Vector // of its position
}

// push takes the next frame. Where the thread was stopped inside the runtime class after the update, the caller's
// counter has been passed, though its position is still that of the call.
func (s *liveStack) push(m *liveMethod, pc int) {
	if m.runtime != nil {
		if s.innermost {
			s.counted = instrument.Counted(m.runtime, pc)
		}
		s.innermost = false
		return
	}
	frame := liveFrame{Frame: observe.Frame{Method: m.context, PC: pc}, owned: m.owned}
	if m.owned != nil {
		frame.phi = m.owned.Phi(pc)
		if s.counted {
			frame.phi = m.owned.PhiAfterCall(pc)
		}
		if !s.called {
			frame.phi = frame.phi.Add(m.owned.Next())
		}
	}
	s.frames = append(s.frames, frame)
	s.innermost, s.counted, s.called = false, false, true
}

// phi sums up φ of a thread's frames, by site, and in contexts, if there are any.
func (s *liveStack) phi(c observe.Contexts, b counters.Block, flags uint32) (sites map[trace.SiteID]int64,
	inContexts []trace.ContextTerm) {
	sites = map[trace.SiteID]int64{}
	ids := s.contexts(c, b, flags)
	for i, f := range s.frames {
		for _, t := range f.phi {
			site := f.owned.Site + trace.SiteID(t.Site)
			if ids != nil && ids[i] != 0 && f.Method.Counts {
				inContexts = append(inContexts, trace.ContextTerm{Context: ids[i], Site: site, Coefficient: int64(t.N)})
			} else {
				sites[site] += int64(t.N)
			}
		}
	}
	return sites, inContexts
}

// contexts finds the contexts of the frames; nil if there are none.
func (s *liveStack) contexts(c observe.Contexts, b counters.Block, flags uint32) []trace.ContextID {
	if c == nil {
		return nil
	}
	frames := make([]observe.Frame, len(s.frames))
	for i := range frames {
		frames[i] = s.frames[i].Frame
	}
	return c.Frames(b, flags, frames)
}
