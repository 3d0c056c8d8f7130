package replica

import (
	"bytes"

	"mallard/internal/abi"
)

// Bounds of what samples keep. The agent knows as many stacks.
const (
	maxStacks = 3 << 12
	maxFrames = 64 // of a stack
	maxRows   = 1 << 15
)

// A SampledFrame is of a stack that makes or reads sampled objects.
type SampledFrame struct {
	Class, Method, Descriptor string // Class in internal form
	Line                      uint32 // 0 unknown
}

// A SampledStack has frames, innermost first.
type SampledStack struct {
	Class  string // descriptor of what it makes; "" where it reads
	Frames []SampledFrame
}

// sampled is what was watched of what a stack has made.
type sampled struct {
	watched, objects, bytes int64 // objects that were; objects, and their bytes, that these stand for
}

// compared is what came of pairs that one stack has made, the second of each, and one has read.
type compared struct {
	Pairs
	reads, equalReads int64 // that the first ones stand for; of those that were equal
}

// Samples are totals of what sampling has found. Its methods are for one goroutine.
type Samples struct {
	Lost    int64 // that there was no room for
	Damaged int64 // events

	stacks map[uint32]*SampledStack
	made   map[uint32]*sampled
	pairs  map[[2]uint32]*compared            // by the stack that made and the one that read
	values map[uint32]map[uint64]sampledValue // by the stack that made, and by hash
	valued int                                // of all stacks

	whole      map[uint32]map[uint64]int64 // objects by the stack that made them, and by the hash of all their contents
	contents   int                         // of all stacks
	wholeLevel uint                        // one of 2^wholeLevel objects that were looked at is kept
}

// sampledValue is contents of pairs that were equal.
type sampledValue struct {
	pairs    int64 // at least
	contents Value
}

// NewSamples has nothing yet.
func NewSamples() *Samples {
	return &Samples{stacks: map[uint32]*SampledStack{}, made: map[uint32]*sampled{},
		pairs: map[[2]uint32]*compared{}, values: map[uint32]map[uint64]sampledValue{},
		whole: map[uint32]map[uint64]int64{}}
}

// AddStack adds a stack, which becomes its own, under its number.
func (s *Samples) AddStack(number uint32, stack *SampledStack) {
	if len(s.stacks) >= maxStacks && s.stacks[number] == nil || len(stack.Frames) > maxFrames {
		s.Lost = plus(s.Lost, 1)
		return
	}
	s.stacks[number] = stack
}

// Stack gives a stack by its number, nil where there is none.
func (s *Samples) Stack(number uint32) *SampledStack { return s.stacks[number] }

// AddSampled adds an object that is watched.
func (s *Samples) AddSampled(made uint32, bytes, objects int64) {
	s.addSampled(made, sampled{1, objects, times(bytes, objects)})
}

func (s *Samples) addSampled(made uint32, more sampled) {
	row := s.made[made]
	if row == nil {
		if s.isFull() {
			return
		}
		row = &sampled{}
		s.made[made] = row
	}
	row.watched, row.objects = plus(row.watched, more.watched), plus(row.objects, more.objects)
	row.bytes = plus(row.bytes, more.bytes)
}

// AddPair adds a pair, by abi's flags of its outcome, whose first object stands for so many reads.
func (s *Samples) AddPair(made, read, outcome uint32, reads int64) {
	var c compared
	c.reads = reads
	if outcome&abi.PairEqual == 0 {
		c.Different = 1
	} else {
		c.Equal, c.equalReads = 1, reads
		switch {
		case outcome&abi.PairKnown == 0:
		case outcome&abi.PairCopies != 0:
			c.Copies = 1
		default:
			c.Partial = 1
		}
	}
	if outcome&abi.PairNear != 0 {
		c.Near, c.NearEqual = 1, c.Equal
	}
	s.addPairs(made, read, c)
}

func (s *Samples) addPairs(made, read uint32, more compared) {
	key := [2]uint32{made, read}
	row := s.pairs[key]
	if row == nil {
		if s.isFull() {
			return
		}
		row = &compared{}
		s.pairs[key] = row
	}
	row.add(more)
}

func (c *compared) add(o compared) {
	c.Add(o.Pairs)
	c.reads, c.equalReads = plus(c.reads, o.reads), plus(c.equalReads, o.equalReads)
}

// AddValue adds a pair that was equal and had contents with a hash, or none where these were told before. Of each stack
// those that most pairs had are kept, and the last one, as long as there is room.
func (s *Samples) AddValue(made uint32, hash uint64, contents Value) {
	if len(contents) <= abi.ReplicaValueBytes {
		s.addValue(made, hash, sampledValue{1, contents})
	}
}

func (s *Samples) addValue(made uint32, hash uint64, more sampledValue) {
	of := s.values[made]
	if v, known := of[hash]; known {
		of[hash] = sampledValue{plus(v.pairs, more.pairs), v.contents}
		return
	}
	if len(more.contents) == 0 {
		return
	}
	if len(of) == maxClassValues {
		least, found := uint64(0), false
		for other, v := range of {
			if !found || fewer(v.pairs, of[least].pairs, other, least) {
				least, found = other, true
			}
		}
		delete(of, least)
		s.valued--
	}
	if s.valued == maxValues {
		return
	}
	if of == nil {
		of = map[uint64]sampledValue{}
		s.values[made] = of
	}
	of[hash] = sampledValue{more.pairs, bytes.Clone(more.contents)}
	s.valued++
}

// HasValues reports whether contents of any objects were recorded.
func (s *Samples) HasValues() bool { return s.valued > 0 }

// isFull reports whether there is no room for another row, and counts what is lost.
func (s *Samples) isFull() bool {
	full := len(s.made)+len(s.pairs) >= maxRows
	if full {
		s.Lost = plus(s.Lost, 1)
	}
	return full
}
