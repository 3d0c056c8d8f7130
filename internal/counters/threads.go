package counters

import (
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Thread is one that has a block.
type Thread struct {
	record trace.Thread
	values map[trace.CounterID]int64
}

// ID is the thread's number in the recording.
func (t *Thread) ID() trace.ThreadID { return t.record.ID }

// Name is what it is called, as far as that is known.
func (t *Thread) Name() string { return t.record.Name }

// An Extension has more of what threads count than the counters of classes in their blocks.
type Extension interface {
	// Counters calls yield for counters of classes that a thread counts elsewhere than under their numbers.
	Counters(b Block, yield func(trace.CounterID, int64)) error
	// Ended takes what a thread that has ended has counted. What it returns puts into the block, which is all zero by
	// then, what the next thread is to find there; nil if that is nothing.
	Ended(b Block, t *Thread) (restore func() error)
}

// Threads knows the threads of a JVM and what has been written of their counters. It is for one goroutine.
type Threads struct {
	Extensions []Extension
	// bytes that the JVM allocated before the first bytecode ran, 0: it does not say what is allocated
	Start  uint64
	Agents uint64 // bytes that the agent allocated then; both are set before the first thread ends

	memory *Memory
	reader *Reader
	space  *Space
	totals *Totals
	out    *recording.Recording

	keyframe int64 // when the last one began, as records have it

	givenBack uint64 // how many times numbers were

	next    trace.ThreadID
	threads map[Block]*Thread
	last    map[Block]*Thread // that had a block and has ended
	began   bool              // what the thread that started the JVM allocated by that has been taken off
	own     uint64            // bytes that the agent and the runtime classes allocated
	ended   Ended

	// Of the last thread that was looked at; their memory is used again.
	values  []trace.CounterValue
	counted []trace.CounterID
}

// Ended is what threads did that have ended.
type Ended struct {
	Bytes     uint64 // that the JVM says they allocated
	Bytecodes uint64 // that they executed in classes of the program
}

// NewThreads makes the table of a JVM's threads.
func NewThreads(memory *Memory, space *Space, totals *Totals, out *recording.Recording) *Threads {
	return &Threads{
		memory: memory, reader: memory.NewReader(), space: space, totals: totals, out: out,
		threads: map[Block]*Thread{}, last: map[Block]*Thread{},
	}
}

// At gives the thread that counts in a block, of which nothing may be known yet.
func (s *Threads) At(b Block) *Thread {
	t := s.threads[b]
	if t != nil {
		return t
	}
	t = &Thread{record: trace.Thread{ID: s.next, Name: fmt.Sprintf("thread of block %d", b)},
		values: map[trace.CounterID]int64{}}
	if b == abi.OverflowBlock {
		t.record.Name = "(threads without a block)"
	}
	if s.memory.Virtual(b) {
		t.record.Name, t.record.Carrier = "(virtual threads)", true
	}
	s.next++
	s.threads[b] = t
	s.put(t)
	return t
}

// Stopped gives the thread that a stack is of, which may have ended since ([abi.ThreadEnded]).
func (s *Threads) Stopped(b Block, flags uint32) *Thread {
	if t := s.last[b]; t != nil && flags&abi.ThreadEnded != 0 {
		return t
	}
	return s.At(b)
}

// Describe notes what the agent says of the thread in a block.
func (s *Threads) Describe(m *transport.ThreadBlock) *Thread {
	b, t := Block(m.Block), s.At(Block(m.Block))
	name, carrier := m.Name, m.Flags&abi.ThreadCarrier != 0
	if name == "" || b == abi.OverflowBlock {
		name, carrier = t.record.Name, t.record.Carrier
	}
	if t.record.Name != name || t.record.Carrier != carrier {
		t.record.Name, t.record.Carrier = name, carrier
		s.put(t)
	}
	return t
}

// Ended sums up what threads did that have ended.
func (s *Threads) Ended() Ended { return s.ended }

// Own is how many bytes the agent and the runtime classes allocated.
func (s *Threads) Own() uint64 { return s.own }

// Allocated records what the JVM says a thread allocated, less what is not its own doing: the first thread starts the
// JVM.
func (s *Threads) Allocated(b Block, t *Thread, bytes uint64) {
	if b == abi.PrimordialBlock && !s.began {
		s.began = true
		s.own = s.Agents + s.memory.Word(b, abi.WordOwnBytes)
		bytes -= min(bytes, s.Start+s.own)
	}
	s.out.Put(&trace.Allocated{Thread: t.record.ID, Bytes: bytes})
}

// put records what is known of a thread.
func (s *Threads) put(t *Thread) {
	record := t.record
	s.out.Put(&record)
}

// Bytecodes is how many bytecodes all threads have executed in classes of the program.
func (s *Threads) Bytecodes() uint64 {
	sum := s.ended.Bytecodes
	for _, b := range s.memory.Used() {
		sum += s.memory.Word(b, abi.WordExecuted)
	}
	return sum
}
