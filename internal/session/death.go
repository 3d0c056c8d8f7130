package session

import (
	"cmp"
	"maps"
	"slices"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// death takes the last snapshot: threads are stopped, so counters and stacks belong together, and what live frames have
// counted ahead of themselves, or allocated and not yet counted, is known. Where threads could not be stopped, the
// agent says afterwards whether they ran on.
func (s *Session) death(m *transport.Death) (err error) {
	s.events.finish()
	s.counting.Do(func() {
		s.fault("death")
		if s.recording.Finished() {
			return
		}
		if err = s.lastSnapshot(m); err == nil && m.Watched == 0 {
			if s.conn.Left() {
				s.recording.Loss("live-frames", "the JVM did not wait longer for its counters to be read: they are "+
					"exact except for what ran in its last moments; run with a longer --exit-within")
			}
			s.finish(true, s.ending())
		}
	})
	switch {
	case err != nil:
		return err
	case m.Watched != 0:
		return s.conn.Answer(abi.OK, nil)
	}
	return s.answerDeath()
}

// watched ends a recording whose threads were not stopped for the last snapshot.
func (s *Session) watched(m *transport.Watched) error {
	s.counting.Do(func() {
		if s.recording.Finished() {
			return
		}
		if m.Ran > 0 {
			s.recording.Put(&trace.Loss{Kind: "live-frames", Count: uint64(m.Ran),
				Detail: "threads ran on while their stacks were read, since another agent, such as a debugger, keeps " +
					"them from being stopped: counts are exact except for methods still on them"})
		}
		s.finish(true, s.ending())
	})
	return s.answerDeath()
}

// vmEnded is why most recordings are complete.
const vmEnded = "the JVM ended"

func (s *Session) ending() string {
	if s.detaching.asked() {
		return detachedBefore
	}
	return vmEnded
}

func (s *Session) answerDeath() error {
	var message string
	if s.options.Say == nil {
		message = s.agentsFinalMessage()
	}
	return s.conn.Answer(abi.OK, []byte(message))
}

// lastSnapshot reads the stacks of all threads and takes the snapshot, behind which no other comes.
func (s *Session) lastSnapshot(m *transport.Death) error {
	methods := s.liveMethods(m.Methods)
	live := liveFrames{sites: map[trace.ThreadID]map[trace.SiteID]int64{},
		contexts: map[trace.ThreadID][]trace.ContextTerm{}}
	var inThreads uint64
	for i := range m.Threads {
		allocated, err := s.stoppedThread(&m.Threads[i], methods, &live)
		if err != nil {
			return err
		}
		inThreads += allocated
	}
	total := m.Allocated
	if s.threads.Start > 0 {
		s.recording.Put(&trace.Internal{Cause: trace.VMStart, Bytes: s.threads.Start})
		if total > inThreads {
			s.recording.Put(&trace.Internal{Cause: trace.VMThreads, Bytes: total - inThreads})
		}
		total += s.threads.Ended().Bytes
		total -= min(total, s.threads.Own())
	}
	for i := range m.Made {
		made := trace.ClassObjects(m.Made[i])
		s.recording.Put(&made)
	}
	if m.Watched != 0 {
		total = 0 // what a thread has allocated can be read of stopped ones alone
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
	s.lastTaken = true
	return nil
}

// liveMethods are the methods that frames are in.
func (s *Session) liveMethods(running []transport.LiveMethod) []liveMethod {
	methods := make([]liveMethod, len(running))
	for i := range running {
		r, m := &running[i], &methods[i]
		key := classes.Key{Loader: trace.LoaderID(r.Class.Loader), Name: transport.ClassName(r.Class.Name)}
		m.owned = s.classes.Method(key, r.Name+r.Descriptor, r.Code)
		if s.contexts != nil {
			m.context = s.contexts.Method(key, r.Name+r.Descriptor, len(r.Code) == 0, r.Lines)
		}
		if instrument.IsRuntime(key.Name) {
			m.runtime = r.Code
		}
	}
	return methods
}

// stoppedThread takes the stack of a thread, and says how many bytes it allocated.
func (s *Session) stoppedThread(m *transport.LiveThread, methods []liveMethod, live *liveFrames) (uint64, error) {
	block, flags := counters.Block(m.Thread.Block), m.Thread.Flags
	if err := s.memory.Check(block); err != nil {
		return 0, err
	}
	stack := liveStack{innermost: true}
	for _, f := range m.Frames {
		if int(f.Method) < len(methods) {
			stack.push(&methods[f.Method], int(f.PC))
		}
	}
	sites, inContexts := stack.phi(s.contexts, block, flags)
	if block == abi.OverflowBlock && len(sites) == 0 {
		return 0, nil
	}
	t := s.threads.Stopped(block, flags)
	live.add(t.ID(), sites, inContexts)
	if flags&(abi.ThreadVirtual|abi.ThreadEnded) != 0 {
		return 0, nil
	}
	s.threads.Allocated(block, s.threads.Describe(&m.Thread), m.Allocated)
	return m.Allocated, nil
}

// liveFrames is the φ of invocations that had not ended, by thread.
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
