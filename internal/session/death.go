package session

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/instrument"
	"mallard/internal/placement"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// death takes the last snapshot: threads are stopped, so counters and stacks belong together, and what live frames have counted ahead of
// themselves, or allocated and not yet counted, is known (DESIGN: "Live frames").
func (s *Session) death(p *wire.Payload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	methods := make([]liveMethod, 0, 64)
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		key := classKey{trace.LoaderID(p.Uint32()), internalName(p.String())}
		name, descriptor, code := p.String(), p.String(), p.Bytes()
		m := liveMethod{owned: s.owned(key, name+descriptor, code), context: s.contextFrame(methodKey{key, name + descriptor}, len(code) == 0, readLines(p))}
		if instrument.IsRuntime(key.name) {
			m.runtime = code
		}
		methods = append(methods, m)
	}
	var inThreads uint64
	owed := map[trace.ThreadID]map[trace.SiteID]int64{}
	inContexts := map[trace.ThreadID][]trace.ContextTerm{}
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		block, flags, name, allocated := p.Uint32(), p.Uint32(), p.String(), p.Uint64()
		if err := s.blocks.check(block); err != nil {
			return err
		}
		stack := liveStack{innermost: true}
		for f := p.Uint32(); f > 0 && p.Err() == nil; f-- {
			method, pc := p.Uint32(), p.Uint32()
			if int(method) < len(methods) {
				stack.push(&methods[method], int(pc))
			}
		}
		live, liveInContexts := stack.owes(s, block, flags)
		if p.Err() == nil && (block != wire.OverflowBlock || len(live) > 0) {
			t := s.stoppedThread(block, flags)
			inContexts[t.record.ID] = append(inContexts[t.record.ID], liveInContexts...)
			if flags&(wire.ThreadVirtual|wire.ThreadEnded) == 0 {
				t = s.announce(block, flags, name)
				s.allocated(block, t, allocated)
				inThreads += allocated
			}
			if owed[t.record.ID] == nil {
				owed[t.record.ID] = map[trace.SiteID]int64{}
			}
			for site, n := range live {
				owed[t.record.ID][site] += n
			}
		}
	}
	live := p.Uint64()
	if err := p.Err(); err != nil {
		return err
	}
	if live > 0 {
		s.recording.Put(&trace.Internal{Cause: trace.VMStart, Bytes: s.startBytes})
		s.recording.Put(&trace.Internal{Cause: trace.VMThreads, Bytes: live - min(inThreads, live)})
		live += s.endedBytes
		live -= min(live, s.ownBytes)
	}
	s.snapshot(true, live)
	for _, thread := range slices.Sorted(maps.Keys(owed)) {
		if list := terms(owed[thread]); len(list) > 0 {
			s.recording.Put(&trace.LiveFrames{Thread: thread, Terms: list})
		}
	}
	for _, thread := range slices.Sorted(maps.Keys(inContexts)) {
		if list := inContexts[thread]; len(list) > 0 {
			s.recording.Put(&trace.ContextLiveFrames{Thread: thread, Terms: list})
		}
	}
	s.finish(true, "the JVM ended")
	return nil
}

// stoppedThread gives the thread that a stack is of.
func (s *Session) stoppedThread(block, flags uint32) *thread {
	if t := s.gone[block]; t != nil && flags&wire.ThreadEnded != 0 {
		return t
	}
	return s.threadAt(block)
}

// liveMethod is a method that frames are in.
type liveMethod struct {
	owned   *ownedMethod // nil without counters
	runtime []byte       // the code of a method of a runtime class, nil for others
	context contextFrame
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
	contextFrame
	pc    int
	owned *ownedMethod
	phi   placement.Vector // what it owes
}

// push takes the next frame. Where the thread was stopped inside the runtime class after the update, the caller's counter has been passed, though
// its position is still that of the call.
func (s *liveStack) push(m *liveMethod, pc int) {
	if m.runtime != nil {
		if s.innermost {
			s.counted = instrument.Counted(m.runtime, pc)
		}
		s.innermost = false
		return
	}
	frame := liveFrame{contextFrame: m.context, pc: pc, owned: m.owned}
	if m.owned != nil {
		frame.phi = m.owned.method.Owed(pc)
		if s.counted {
			frame.phi = m.owned.method.OwedAfterCall(pc)
		}
		if !s.called {
			frame.phi = frame.phi.Add(m.owned.method.Next())
		}
	}
	s.frames = append(s.frames, frame)
	s.innermost, s.counted, s.called = false, false, true
}

// owes sums up what the frames of a thread owe, by site, and what they owe in contexts.
func (s *liveStack) owes(session *Session, block, flags uint32) (live map[trace.SiteID]int64, inContexts []trace.ContextTerm) {
	live = map[trace.SiteID]int64{}
	contexts := session.contexts.ofFrames(session.blocks, block, flags, s.frames)
	for i, f := range s.frames {
		for _, t := range f.phi {
			site := f.owned.site + trace.SiteID(t.Site)
			if contexts != nil && contexts[i] != 0 && f.counts {
				inContexts = append(inContexts, trace.ContextTerm{Context: contexts[i], Site: site, Coefficient: int64(t.N)})
			} else {
				live[site] += int64(t.N)
			}
		}
	}
	return live, inContexts
}

func terms(live map[trace.SiteID]int64) []trace.SiteTerm {
	var list []trace.SiteTerm
	for site, n := range live {
		if n != 0 {
			list = append(list, trace.SiteTerm{Site: site, Coefficient: n})
		}
	}
	slices.SortFunc(list, func(a, b trace.SiteTerm) int { return cmp.Compare(a.Site, b.Site) })
	return list
}
