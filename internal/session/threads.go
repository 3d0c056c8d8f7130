package session

import (
	"fmt"
	"time"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// thread is a thread with a page.
type thread struct {
	record trace.Thread
	values map[trace.CounterID]int64
	full   time.Time // of the last snapshot that named all counters
}

// threadAt gives the thread that counts in a page, which may not have been announced yet.
func (s *Session) threadAt(page uint32) *thread {
	t := s.threads[page]
	if t == nil {
		t = &thread{record: trace.Thread{ID: s.nextThread, Name: fmt.Sprintf("thread of page %d", page)}, values: map[trace.CounterID]int64{}}
		if page == wire.OverflowPage {
			t.record.Name = "(threads without a page)"
		}
		if s.pages.virtual(page) {
			t.record.Name, t.record.Carrier = "(virtual threads)", true
		}
		s.nextThread++
		s.threads[page] = t
		s.putThread(t)
	}
	return t
}

// announce notes what a frame says of the thread in a page.
func (s *Session) announce(page, flags uint32, name string) *thread {
	t := s.threadAt(page)
	carrier := flags&wire.ThreadCarrier != 0
	if name == "" || page == wire.OverflowPage {
		name, carrier = t.record.Name, t.record.Carrier
	}
	if t.record.Name != name || t.record.Carrier != carrier {
		t.record.Name, t.record.Carrier = name, carrier
		s.putThread(t)
	}
	return t
}

// endThread folds the page of a thread that is gone and frees it.
func (s *Session) endThread(page, flags uint32, name string, allocated uint64) {
	t := s.announce(page, flags, name)
	s.allocated(page, t, allocated)
	s.endedBytes += allocated
	s.snapshotThread(page, t, true)
	tree := s.contexts.snapshot(s, page, t, true)
	s.endedSteps += s.pages.word(page, wire.StepsWord)
	t.record.Ended = true
	s.putThread(t)
	delete(s.threads, page)
	s.gone[page] = t
	if err := s.pages.free(page, tree); err != nil {
		s.recording.Loss("pages", fmt.Sprintf("the page of an ended thread could not be freed: %v", err))
	}
}

// allocated records what the JVM says a thread allocated, less what is not its own doing: the first thread starts the JVM.
func (s *Session) allocated(page uint32, t *thread, bytes uint64) {
	if page == wire.PrimordialPage && !s.startThread {
		s.startThread = true
		s.ownBytes = s.pages.word(page, wire.OwnWord)
		bytes -= min(bytes, s.startBytes+s.ownBytes)
	}
	s.recording.Put(&trace.Allocated{Thread: t.record.ID, Bytes: bytes})
}

// putThread records what is known of a thread.
func (s *Session) putThread(t *thread) {
	record := t.record
	s.recording.Put(&record)
}
