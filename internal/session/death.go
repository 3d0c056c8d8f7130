package session

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// death takes the last snapshot: threads are stopped, so counters and stacks belong together, and what live frames have
// counted ahead of themselves, or allocated and not yet counted, is known.
func (s *Session) death(p *wire.Payload) (err error) {
	s.counting.Do(func() {
		s.fault("death")
		if !s.recording.Finished() {
			err = s.lastSnapshot(p)
		}
	})
	if err != nil {
		return err
	}
	var words string
	if s.options.Say == nil {
		words = s.agentsWords()
	}
	return s.conn.Answer(wire.OK, []byte(words))
}

// lastSnapshot reads the stacks of all threads, takes the snapshot and ends the recording.
func (s *Session) lastSnapshot(p *wire.Payload) error {
	methods := s.liveMethods(p)
	live := liveFrames{sites: map[trace.ThreadID]map[trace.SiteID]int64{}, contexts: map[trace.ThreadID][]trace.ContextTerm{}}
	var inThreads uint64
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		allocated, err := s.stopped(p, methods, &live)
		if err != nil {
			return err
		}
		inThreads += allocated
	}
	total := p.Uint64()
	if err := p.Err(); err != nil {
		return err
	}
	if s.threads.Start > 0 {
		s.recording.Put(&trace.Internal{Cause: trace.VMStart, Bytes: s.threads.Start})
		if total > inThreads {
			s.recording.Put(&trace.Internal{Cause: trace.VMThreads, Bytes: total - inThreads})
		}
		total += s.threads.Ended().Bytes
		total -= min(total, s.threads.Own())
	}
	s.snapshot(&trace.Mark{JVMBytes: total}, true)
	for _, thread := range slices.Sorted(maps.Keys(live.sites)) {
		if list := terms(live.sites[thread]); len(list) > 0 {
			s.recording.Put(&trace.LiveFrames{Thread: thread, Terms: list})
		}
	}
	for _, thread := range slices.Sorted(maps.Keys(live.contexts)) {
		if list := live.contexts[thread]; len(list) > 0 {
			s.recording.Put(&trace.ContextLiveFrames{Thread: thread, Terms: list})
		}
	}
	s.finish(true, "the JVM ended")
	return nil
}

// liveMethods reads the methods that frames are in.
func (s *Session) liveMethods(p *wire.Payload) []liveMethod {
	methods := make([]liveMethod, 0, 64)
	for n := p.Uint32(); n > 0 && p.Err() == nil; n-- {
		key := classes.Key{Loader: trace.LoaderID(p.Uint32()), Name: wire.ClassName(p.String())}
		name, code := p.String()+p.String(), p.Bytes()
		lines := observe.ReadLines(p)
		m := liveMethod{owned: s.classes.Method(key, name, code)}
		if s.contexts != nil {
			m.context = s.contexts.Method(key, name, len(code) == 0, lines)
		}
		if instrument.IsRuntime(key.Name) {
			m.runtime = code
		}
		methods = append(methods, m)
	}
	return methods
}

// stopped reads the stack of a thread, and says how many bytes it allocated.
func (s *Session) stopped(p *wire.Payload, methods []liveMethod, live *liveFrames) (uint64, error) {
	block, flags, name, allocated := counters.Block(p.Uint32()), p.Uint32(), p.String(), p.Uint64()
	if err := s.memory.Check(block); err != nil {
		return 0, err
	}
	stack := liveStack{innermost: true}
	for f := p.Uint32(); f > 0 && p.Err() == nil; f-- {
		method, pc := p.Uint32(), p.Uint32()
		if int(method) < len(methods) {
			stack.push(&methods[method], int(pc))
		}
	}
	sites, inContexts := stack.owes(s.contexts, block, flags)
	if p.Err() != nil || block == wire.OverflowBlock && len(sites) == 0 {
		return 0, nil
	}
	t := s.threads.Stopped(block, flags)
	live.add(t.ID(), sites, inContexts)
	if flags&(wire.ThreadVirtual|wire.ThreadEnded) != 0 {
		return 0, nil
	}
	s.threads.Allocated(block, s.threads.Announce(block, flags, name), allocated)
	return allocated, nil
}

// liveFrames is what invocations that had not ended owe, by thread.
type liveFrames struct {
	sites    map[trace.ThreadID]map[trace.SiteID]int64
	contexts map[trace.ThreadID][]trace.ContextTerm
}

func (l *liveFrames) add(thread trace.ThreadID, sites map[trace.SiteID]int64, inContexts []trace.ContextTerm) {
	l.contexts[thread] = append(l.contexts[thread], inContexts...)
	if l.sites[thread] == nil {
		l.sites[thread] = map[trace.SiteID]int64{}
	}
	for site, n := range sites {
		l.sites[thread][site] += n
	}
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
