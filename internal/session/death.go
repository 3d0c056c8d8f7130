package session

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/instrument"
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
		m := liveMethod{owned: s.owned(key, name+descriptor, code)}
		if key.name == instrument.RuntimeName {
			m.runtime = code
		}
		methods = append(methods, m)
	}
	var inThreads uint64
	owed := map[trace.ThreadID]map[trace.SiteID]int64{}
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		page, flags, name, allocated := p.Uint32(), p.Uint32(), p.String(), p.Uint64()
		if err := s.pages.check(page); err != nil {
			return err
		}
		live := map[trace.SiteID]int64{}
		stack := liveStack{innermost: true}
		for f := p.Uint32(); f > 0 && p.Err() == nil; f-- {
			method, pc := p.Uint32(), p.Uint32()
			if int(method) < len(methods) {
				stack.owes(&methods[method], int(pc), live)
			}
		}
		if p.Err() == nil && (page != wire.OverflowPage || len(live) > 0) {
			t := s.threadAt(page)
			if flags&wire.ThreadVirtual == 0 {
				t = s.announce(page, flags, name)
				s.allocated(page, t, allocated)
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
		s.write(&trace.Internal{Cause: trace.VMStart, Bytes: s.startBytes})
		s.write(&trace.Internal{Cause: trace.VMThreads, Bytes: live - min(inThreads, live)})
		live += s.endedBytes
	}
	s.snapshot(true, live)
	for _, thread := range slices.Sorted(maps.Keys(owed)) {
		if list := terms(owed[thread]); len(list) > 0 {
			s.write(&trace.LiveFrames{Thread: thread, Terms: list})
		}
	}
	s.finish(true, "the JVM ended")
	return nil
}

// liveMethod is a method that frames are in.
type liveMethod struct {
	owned   *ownedMethod // nil without counters
	runtime []byte       // the code of a method of the runtime class, nil for others
}

// liveStack goes through a thread's frames, from the innermost on.
type liveStack struct {
	innermost bool // the next frame is
	counted   bool // the innermost frame is the runtime class's, and has only to return
}

// owes adds to live what a frame owes. Where the thread was stopped inside the runtime class after the update, the caller's counter has been passed, though
// its position is still that of the call.
func (s *liveStack) owes(m *liveMethod, pc int, live map[trace.SiteID]int64) {
	if m.runtime != nil {
		if s.innermost {
			s.counted = instrument.Counted(m.runtime, pc)
		}
		s.innermost = false
		return
	}
	if m.owned != nil {
		phi := m.owned.method.Owed(pc)
		if s.counted {
			phi = m.owned.method.OwedAfterCall(pc)
		}
		for _, t := range phi {
			live[m.owned.site+trace.SiteID(t.Site)] += int64(t.N)
		}
	}
	s.innermost, s.counted = false, false
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
