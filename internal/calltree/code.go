package calltree

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync/atomic"

	"mallard/internal/abi"
)

// Encoded contexts: an invocation has the number of its context, which a call changes by a constant. See
// java.lang.$MallardCode for what threads do, and package callenc for where the constants come from. In this package
// they are laid out in memory that threads read while the recorder writes it, without a lock and without waiting: each
// constant is one word together with what has to be true for it to be taken.
//
//	a number:                epoch 5 bits | anchor 24 | value 35; of epoch 0 it is a node
//	a call's constant:       epoch 5      | callee 24 | addition 35
//	an anchor:               the caller's number; epoch 5 | callee 24 | call 35; a node, or 0; how often it was taken
//	an epoch's call:         addition 38  | call 26
//
// A call adds its constant if the caller's number is of the constant's epoch and the callee is the one that is called.
// So an epoch begins by the constants being written over, one after the other; whoever still has a number of the epoch
// before goes behind an anchor. The constants of calls that lead to several methods are in a table besides.
const (
	maxEpoch = 1<<abi.NumberEpochBits - 1

	// ValueLimit is what numbers stay below.
	ValueLimit = 1 << abi.NumberAnchorShift

	maxAnchors = 1 << abi.NumberAnchorBits
	shared     = 2 // how many calls lead to several methods, to one entry of the table that has them
)

// WithCode gives a layout with what encoded contexts need in front of the nodes.
func (l Layout) WithCode() Layout {
	bytes := l.End - l.Top
	l.Additions = l.Early
	l.Anchors = aligned(l.Additions + abi.AdditionBytes*uint64(l.calls+l.methods))
	l.anchors = min(bytes/8/abi.AnchorBytes, maxAnchors)
	size := aligned(l.Anchors+abi.AnchorBytes*l.anchors) - l.Early
	l.Early, l.Chunks = l.Early+size, l.Chunks+size
	return l
}

// MostAnchors is how many there is room for.
func (l Layout) MostAnchors() uint64 { return l.anchors }

// Returns is the number of the call that method 0 would be said to return from; those of others follow. There is no
// call with such a number.
func (l Layout) Returns() uint32 { return uint32(l.calls) }

// A Call is one from a place in a method to another method.
type Call struct {
	Number         uint32 // of the call
	Caller, Callee MethodID
}

// Addition is a call with what it adds to its caller's number; not 0, which is where numbers begin behind an anchor.
type Addition struct {
	Call
	Add uint64
}

// FirstCall gives the number of the first call in a method.
func (a *Arena) FirstCall(id MethodID) uint32 {
	return binary.LittleEndian.Uint32(a.memory[a.methodAt(id)+abi.MethodFirstCall:])
}

// Epoch is the number of the current epoch, the first is 1.
func (a *Arena) Epoch() int {
	return int(atomic.LoadUint64(a.header(abi.ArenaEpoch)) >> abi.NumberEpochShift)
}

// Anchors is about how many anchors there are.
func (a *Arena) Anchors() uint64 {
	return min(atomic.LoadUint64(a.header(abi.ArenaAnchors)), a.layout.anchors) - abi.AnchorsAtOnce
}

// Anchored calls yield for the call that each anchor stands for, unless it stands for what native code or the VM
// called, and says how often it was taken.
func (a *Arena) Anchored(yield func(c Call, taken uint64)) {
	for id := uint64(abi.AnchorsAtOnce); id < a.Anchors()+abi.AnchorsAtOnce; id++ {
		at := Node(a.layout.Anchors + abi.AnchorBytes*id)
		what := a.get(at, abi.AnchorCall/8)
		call, callee := what&(1<<abi.NumberAnchorShift-1),
			MethodID(what<<abi.NumberEpochBits>>(abi.NumberAnchorShift+abi.NumberEpochBits))
		if call == 0 || call >= uint64(a.taken(abi.ArenaCalls)) || int(callee) >= len(a.methods) ||
			a.get(at, abi.AnchorNode/8) != 0 {
			continue
		}
		yield(Call{uint32(call), a.caller(call), callee}, a.get(at, abi.AnchorTaken/8))
	}
}

// caller is the method that a call is in.
func (a *Arena) caller(call uint64) MethodID {
	at := a.layout.Calls - a.layout.Top + abi.CallBytes*call
	return MethodID(binary.LittleEndian.Uint32(a.memory[at+abi.CallAnnounce:]))
}

// BeginEpoch is the reference for where constants and calls stand, which $MallardCode and $MallardDecoder look for. It
// makes an epoch begin in which calls have constants. Those into each method begin at 1 and are ascending; of the calls
// from one place the first is the one that is found soonest. It is false where there is no memory for it, or there were
// too many epochs.
func (a *Arena) BeginEpoch(additions []Addition) bool {
	epoch := a.Epoch() + 1
	if epoch > maxEpoch {
		return false
	}
	var several []Addition
	first := map[uint32]bool{}
	for _, x := range additions {
		if first[x.Number] {
			several = append(several, x)
		}
		first[x.Number] = true
	}
	starts := uint64(len(a.methods)+1) << abi.EdgeStartShift
	graph := a.share(starts + 4 + uint64(len(additions))<<abi.EdgeBytesShift)
	size := uint64(1) << bits.Len(uint(shared*len(several)))
	table := a.share(size << abi.SeveralBytesShift)
	if graph == 0 || table == 0 {
		return false
	}
	edges := (graph + starts + 7) &^ 7
	a.constants = len(additions)
	a.putGraph(graph, edges, additions)
	atomic.StoreUint64(a.header(abi.ArenaEpochs+2*epoch), graph)
	atomic.StoreUint64(a.header(abi.ArenaEpochs+2*epoch+1), edges)
	constant := func(x Addition) uint64 {
		return uint64(epoch)<<abi.NumberEpochShift | uint64(x.Callee)<<abi.NumberAnchorShift | x.Add
	}
	for _, x := range several {
		key := uint64(x.Number)<<abi.SeveralCallShift | uint64(x.Callee)
		i := key * abi.CodeHash >> abi.CodeHashShift & (size - 1)
		for a.get(severalEntry(table, i), abi.SeveralKey/8) != 0 {
			i = (i + 1) & (size - 1)
		}
		a.put(severalEntry(table, i), abi.SeveralKey/8, key)
		a.put(severalEntry(table, i), abi.SeveralConstant/8, constant(x))
	}
	atomic.StoreUint64(a.header(abi.ArenaSeveral), table|uint64(bits.TrailingZeros64(size))<<abi.SeveralShift)
	for _, x := range additions {
		if first[x.Number] {
			first[x.Number] = false
			a.put(Node(a.layout.Additions), int(x.Number), constant(x))
		}
	}
	atomic.StoreUint64(a.header(abi.ArenaEpoch), uint64(epoch)<<abi.NumberEpochShift)
	return true
}

// severalEntry gives an entry of the table of calls that lead to several methods.
func severalEntry(table, i uint64) Node { return Node(table + i<<abi.SeveralBytesShift) }

// putGraph writes what numbers are decoded with: the calls into each method, by what they add, and where each method's
// begin among all.
func (a *Arena) putGraph(graph, edges uint64, additions []Addition) {
	sorted := slices.Clone(additions)
	slices.SortFunc(sorted, func(x, y Addition) int {
		return cmp.Or(cmp.Compare(x.Callee, y.Callee), cmp.Compare(x.Add, y.Add))
	})
	i := 0
	for id := range len(a.methods) + 1 {
		for i < len(sorted) && sorted[i].Callee < MethodID(id) {
			a.put(Node(edges), i, sorted[i].Add<<abi.EdgeCallBits|uint64(sorted[i].Number))
			i++
		}
		binary.LittleEndian.PutUint32(a.memory[graph-a.layout.Top+uint64(id)<<abi.EdgeStartShift:], uint32(i))
	}
}

// share takes memory for what all threads read; 0 where there is none.
func (a *Arena) share(bytes uint64) uint64 {
	bytes = (bytes + abi.ChunkUnit - 1) &^ (abi.ChunkUnit - 1)
	for {
		at := atomic.LoadUint64(a.word(a.layout.Top))
		if at+bytes > atomic.LoadUint64(a.word(a.layout.Limit)) {
			return 0
		}
		if atomic.CompareAndSwapUint64(a.word(a.layout.Top), at, at+bytes) {
			a.code += bytes
			return at
		}
	}
}

// Cacheability says what is to be thought of a node that [Arena.ResolveCode] gives, in its lowest bits.
type Cacheability uint64

const (
	// the VM may call the same method elsewhere while the same call is the last that was announced
	Once Cacheability = 0
	// whenever that method begins and that call in that context is the last that was announced, but there is native
	// code between
	Behind Cacheability = abi.CacheableAlways
	Slot   Cacheability = abi.CacheableAlways | abi.CacheableSlot // the same, and the node is in the slot of the call
)

// ResolveCode is the reference for java.lang.$MallardDecoder. It gives the node of an invocation that begins, given its
// thread's stack, whose first frame it is, and by what it would be entered if the last call that was announced had
// called it, 0 if none was. Nodes that are missing on the way are made, with memory of the thread, which waits. It is 0
// where there is no memory.
func (a *Arena) ResolveCode(t *Thread, entry Entry, frames []Frame) (Node, Cacheability) {
	nodes, ok := a.findOrMake(t, frames, &Unknown{})
	if !ok {
		return 0, Once
	}
	c := chain{arena: a, thread: t, frames: frames, nodes: nodes}
	caller := c.caller(0)
	switch {
	case !c.mayAnswer(caller), a.methods[frames[0].Method].Raised:
		return nodes[0], Once
	case caller == len(frames):
		if entry != 0 {
			return nodes[0], Once
		}
		return nodes[0], Behind
	}
	word, ok := a.slot(frames[caller].Method, frames[caller].PC)
	if !ok || entryOf(nodes[caller], word) != entry {
		return nodes[0], Once
	}
	if _, elsewhere := a.elsewhere(nodes[0]); elsewhere || caller > 1 {
		return nodes[0], Behind
	}
	return nodes[0], Slot
}
