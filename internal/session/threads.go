package session

import (
	"fmt"
	"time"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// thread is a thread with a block.
type thread struct {
	record trace.Thread
	values map[trace.CounterID]int64
	full   time.Time // of the last snapshot that named all counters
}

// threadAt gives the thread that counts in a block, which may not have been announced yet.
func (s *Session) threadAt(block uint32) *thread {
	t := s.threads[block]
	if t == nil {
		t = &thread{record: trace.Thread{ID: s.nextThread, Name: fmt.Sprintf("thread of counter block %d", block)}, values: map[trace.CounterID]int64{}}
		if block == wire.OverflowBlock {
			t.record.Name = "(threads without a counter block)"
		}
		if s.blocks.virtual(block) {
			t.record.Name, t.record.Carrier = "(virtual threads)", true
		}
		s.nextThread++
		s.threads[block] = t
		s.putThread(t)
	}
	return t
}

// announce notes what a frame says of the thread in a block.
func (s *Session) announce(block, flags uint32, name string) *thread {
	t := s.threadAt(block)
	carrier := flags&wire.ThreadCarrier != 0
	if name == "" || block == wire.OverflowBlock {
		name, carrier = t.record.Name, t.record.Carrier
	}
	if t.record.Name != name || t.record.Carrier != carrier {
		t.record.Name, t.record.Carrier = name, carrier
		s.putThread(t)
	}
	return t
}

// endThread folds the block of a thread that is gone and frees it.
func (s *Session) endThread(block, flags uint32, name string, allocated uint64) {
	t := s.announce(block, flags, name)
	s.allocated(block, t, allocated)
	s.endedBytes += allocated
	s.snapshotThread(block, t, true)
	tree := s.contexts.snapshot(s, block, t, true)
	s.endedBytecodes += s.blocks.word(block, wire.BytecodesWord)
	t.record.Ended = true
	s.putThread(t)
	delete(s.threads, block)
	s.gone[block] = t
	if err := s.blocks.free(block, tree); err != nil {
		s.recording.Loss("counter-blocks", fmt.Sprintf("the block of an ended thread could not be freed: %v", err))
	}
}

// allocated records what the JVM says a thread allocated, less what is not its own doing: the first thread starts the JVM.
func (s *Session) allocated(block uint32, t *thread, bytes uint64) {
	if block == wire.PrimordialBlock && !s.startThread {
		s.startThread = true
		s.ownBytes = s.blocks.word(block, wire.OwnWord)
		bytes -= min(bytes, s.startBytes+s.ownBytes)
	}
	s.recording.Put(&trace.Allocated{Thread: t.record.ID, Bytes: bytes})
}

// putThread records what is known of a thread.
func (s *Session) putThread(t *thread) {
	record := t.record
	s.recording.Put(&record)
}
