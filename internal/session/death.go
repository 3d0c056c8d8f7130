package session

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// death takes the last snapshot: threads are stopped, so counters and stacks belong together, and what live frames have counted ahead of
// themselves, or allocated and not yet counted, is known (DESIGN: "Live frames").
func (s *Session) death(p *wire.Payload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	methods := make([]*ownedMethod, 0, 64)
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		key := classKey{trace.LoaderID(p.Uint32()), internalName(p.String())}
		name, descriptor, code := p.String(), p.String(), p.Bytes()
		methods = append(methods, s.owned(key, name+descriptor, code))
	}
	var inThreads uint64
	owed := map[trace.ThreadID]map[trace.SiteID]int64{}
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		page, flags, name, allocated := p.Uint32(), p.Uint32(), p.String(), p.Uint64()
		if err := s.pages.check(page); err != nil {
			return err
		}
		live := map[trace.SiteID]int64{}
		for f := p.Uint32(); f > 0 && p.Err() == nil; f-- {
			method, pc := p.Uint32(), p.Uint32()
			if int(method) < len(methods) && methods[method] != nil {
				m := methods[method]
				for _, t := range m.method.Owed(int(pc)) {
					live[m.site+trace.SiteID(t.Site)] += int64(t.N)
				}
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
