package classcache

import (
	"encoding/binary"
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/instrument"
)

// Entry is a class in the cache.
type Entry struct {
	Class     []byte // as it was
	Rewritten []byte // empty: it stays so
	Counters  uint32
	Metadata  []byte // encoded, see [instrument.Result.Metadata]
	Contexts  Contexts

	names    names
	hash     uint64
	patches  patches
	counting []byte // all between Class and Metadata as it stands in the file
	sums     [2]uint64
}

// whole reports whether all of an entry is as it was written.
func (e *Entry) whole() bool {
	return hashOf(e.Class) == e.hash && e.countingSum() == e.sums[0] && hashOf(e.Metadata) == e.sums[1]
}

// Contexts is what is known of a class's methods with contexts.
type Contexts struct {
	Rows calltree.Rows // names have the cache's numbers
	// of methods of the class that are leaves, and of those of others that were taken to be: [instrument.LeafHash]
	Leaves, Assumed []uint64
}

func (x *Contexts) methods() uint32 { return uint32(len(x.Rows.Methods) / abi.MethodBytes) }

// patches are 32-bit words, offsets of numbers in the new bytes: of counters, methods and calls.
type patches [3][]byte

// lengths are those of an entry's parts, in bytes.
type lengths struct {
	class, rewritten, metadata uint64
	patches                    [3]uint64
	methods, calls             uint64 // rows
	leaves, assumed            uint64
	counters, overflow         uint32 // numbers, no bytes
	callsOfMethods             bool
}

func readLengths(b []byte) lengths {
	le := binary.LittleEndian
	times := func(n uint64, at int) uint64 { return n * uint64(le.Uint32(b[at:])) }
	return lengths{
		class: times(1, abi.EntryClass), rewritten: times(1, abi.EntryNew), metadata: times(1, abi.EntryMetadata),
		patches: [3]uint64{times(4, abi.EntryPatches), times(4, abi.EntryMethodPatches),
			times(4, abi.EntryCallPatches)},
		methods: times(abi.MethodBytes, abi.EntryMethods), calls: times(abi.CallBytes, abi.EntryCalls),
		leaves: times(8, abi.EntryLeaves), assumed: times(8, abi.EntryAssumed),
		counters: le.Uint32(b[abi.EntryCounters:]), overflow: le.Uint32(b[abi.EntryOverflow:]),
		callsOfMethods: le.Uint32(b[abi.EntryCallsOfMethods:]) != 0,
	}
}

func (l *lengths) allPatches() uint64 { return padded(l.patches[0] + l.patches[1] + l.patches[2]) }

func (l *lengths) counting() uint64 {
	return l.allPatches() + l.methods + padded(l.calls) + l.leaves + l.assumed + padded(l.rewritten)
}

// size is the length of an entry behind its fields.
func (l *lengths) size() uint64 { return padded(l.class) + l.counting() + padded(l.metadata) }

func (e *Entry) lengths() lengths {
	n := func(b []byte) uint64 { return uint64(len(b)) }
	x := &e.Contexts
	return lengths{
		class: n(e.Class), rewritten: n(e.Rewritten), metadata: n(e.Metadata),
		patches: [3]uint64{n(e.patches[0]), n(e.patches[1]), n(e.patches[2])},
		methods: n(x.Rows.Methods), calls: n(x.Rows.Calls),
		leaves: 8 * uint64(len(x.Leaves)), assumed: 8 * uint64(len(x.Assumed)),
		counters: e.Counters, overflow: x.Rows.Overflow, callsOfMethods: x.Rows.CallsOfMethods,
	}
}

// fields are those of an entry from abi.EntryFields on.
func (l *lengths) fields() []byte {
	b := make([]byte, abi.EntryBytes)
	put := func(at int, n uint64) { binary.LittleEndian.PutUint32(b[at:], uint32(n)) }
	put(abi.EntryClass, l.class)
	put(abi.EntryNew, l.rewritten)
	put(abi.EntryMetadata, l.metadata)
	put(abi.EntryPatches, l.patches[0]/4)
	put(abi.EntryMethodPatches, l.patches[1]/4)
	put(abi.EntryCallPatches, l.patches[2]/4)
	put(abi.EntryMethods, l.methods/abi.MethodBytes)
	put(abi.EntryCalls, l.calls/abi.CallBytes)
	put(abi.EntryLeaves, l.leaves/8)
	put(abi.EntryAssumed, l.assumed/8)
	put(abi.EntryCounters, uint64(l.counters))
	put(abi.EntryOverflow, uint64(l.overflow))
	if l.callsOfMethods {
		put(abi.EntryCallsOfMethods, 1)
	}
	return b[abi.EntryFields:]
}

// header is an entry's fields.
func (e *Entry) header() []byte {
	l := e.lengths()
	b := make([]byte, abi.EntryFields, abi.EntryBytes)
	le := binary.LittleEndian
	le.PutUint64(b[abi.EntryHash:], e.hash)
	le.PutUint64(b[abi.EntryCountingHash:], e.sums[0])
	le.PutUint64(b[abi.EntryMetadataHash:], e.sums[1])
	return append(b, l.fields()...)
}

// countingSum is the hash of what an entry counts with.
func (e *Entry) countingSum() uint64 {
	l := e.lengths()
	return hashOf(e.counting) ^ hashOf(l.fields())
}

// divide finds the parts of an entry in what is behind its fields.
func (e *Entry) divide(l *lengths, b []byte) {
	whole := b
	part := func(n uint64) (p []byte) {
		p, b = b[:n:n], b[n:]
		return p
	}
	hashes := func(n uint64) (list []uint64) {
		for p := part(n); len(p) > 0; p = p[8:] {
			list = append(list, binary.LittleEndian.Uint64(p))
		}
		return list
	}
	e.Counters = l.counters
	e.Class = part(padded(l.class))[:l.class:l.class]
	e.counting = whole[padded(l.class):][:l.counting()]
	for i := range e.patches {
		e.patches[i] = part(l.patches[i])
	}
	part(l.allPatches() - l.patches[0] - l.patches[1] - l.patches[2])
	x := &e.Contexts
	x.Rows = calltree.Rows{Methods: part(l.methods), Overflow: l.overflow, CallsOfMethods: l.callsOfMethods}
	x.Rows.Calls = part(padded(l.calls))[:l.calls]
	x.Leaves, x.Assumed = hashes(l.leaves), hashes(l.assumed)
	e.Rewritten = part(padded(l.rewritten))[:l.rewritten:l.rewritten]
	e.Metadata = b[:l.metadata:l.metadata]
}

// count makes what an entry counts with of its parts.
func (e *Entry) count() {
	l := e.lengths()
	b := make([]byte, 0, l.counting())
	put := func(parts ...[]byte) {
		for _, p := range parts {
			b = append(b, p...)
		}
		b = b[:padded(uint64(len(b)))]
	}
	put(e.patches[:]...)
	put(e.Contexts.Rows.Methods)
	put(e.Contexts.Rows.Calls)
	for _, list := range [][]uint64{e.Contexts.Leaves, e.Contexts.Assumed} {
		for _, h := range list {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
	}
	put(e.Rewritten)
	e.counting = b
	e.sums = [2]uint64{e.countingSum(), hashOf(e.Metadata)}
}

// newEntry makes an entry without contexts of a class and what was made of it, to which numbers were added.
func newEntry(class []byte, r *instrument.Result, metadata []byte, added instrument.Numbers) Entry {
	e := Entry{Class: class, Rewritten: r.Relative(added), Counters: r.Counters, hash: hashOf(class),
		Metadata: metadata}
	p := r.Patches()
	for i, list := range [...][]int{p.Counters, p.Methods, p.Calls} {
		for _, at := range list {
			e.patches[i] = binary.LittleEndian.AppendUint32(e.patches[i], uint32(at))
		}
	}
	for _, method := range r.Leaves {
		e.Contexts.Leaves = append(e.Contexts.Leaves, instrument.LeafHash(r.Name, method))
	}
	for _, m := range r.Assumed {
		e.Contexts.Assumed = append(e.Contexts.Assumed, instrument.LeafHash(m.Class, m.Method))
	}
	return e
}

// Result gives what instrumenting the class gave, with relative numbers, without leaves. Its Bytes are the entry's.
func (e Entry) Result() (*instrument.Result, error) {
	var p instrument.Patches
	var err error
	for to, list := range map[*[]int][]byte{&p.Counters: e.patches[0], &p.Methods: e.patches[1],
		&p.Calls: e.patches[2]} {
		if *to, err = offsets(list, len(e.Rewritten)); err != nil {
			return nil, err
		}
	}
	return instrument.Restore(e.Rewritten, e.Counters, e.Contexts.methods(), p, e.Metadata)
}

// offsets reads those of 32-bit words in so many bytes.
func offsets(list []byte, bytes int) ([]int, error) {
	if len(list) == 0 {
		return nil, nil
	}
	offsets := make([]int, len(list)/4)
	for i := range offsets {
		offsets[i] = int(binary.LittleEndian.Uint32(list[4*i:]))
		if offsets[i] > bytes-4 {
			return nil, fmt.Errorf("%w: a number at %d of %d bytes", ErrInvalid, offsets[i], bytes)
		}
	}
	return offsets, nil
}

// Summary gives what a reader of counts has to know of it; see [instrument.Summary].
func (e Entry) Summary() (*instrument.Result, error) {
	return instrument.Summary(e.Rewritten, e.Counters, e.Contexts.methods(), e.Metadata)
}
