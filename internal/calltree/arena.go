package calltree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"mallard/internal/abi"
)

// A Node is the offset of a node; 0 is none.
type Node uint64

// An Entry is what enters a node: the caller's node, and the caller's word that leads there.
type Entry uint64

// A MethodID numbers methods with a context, and others that stand in stacks. 0 is none.
type MethodID uint32

const (
	nodeMask  = 1<<abi.SlotShift - 1
	FirstSlot = abi.NodeSlots // word of a node's first slot

	root MethodID = abi.RootMethod

	maxMethods = 4 << 20
	maxCalls   = 64 << 20
	maxEarly   = 16 << 20
)

func entryOf(n Node, word int) Entry { return Entry(uint64(n) | uint64(word)<<abi.SlotShift) }

// Node is the caller's.
func (e Entry) Node() Node { return Node(e & nodeMask) }

// Word is the caller's word that leads to the callee.
func (e Entry) Word() int { return int(e >> abi.SlotShift) }

// Layout says where things are in an arena, as offsets like those of nodes.
type Layout struct {
	Top, Limit uint64 // words: the first byte that no thread has taken, the end of what may be taken
	Methods    uint64 // table of methods
	Calls      uint64 // table of calls
	Early      uint64 // chunk of the time when memory cannot be reached yet
	Chunks     uint64 // from here on threads take memory
	End        uint64
	methods    int
	calls      int

	// With [Layout.WithCode].
	Additions uint64 // table of what calls add
	Anchors   uint64 // table of anchors
	anchors   uint64
}

// NewLayout divides an arena that begins at an offset.
func NewLayout(start, bytes uint64) Layout {
	l := Layout{Top: start + 8*abi.ArenaTop, Limit: start + 8*abi.ArenaLimit, Methods: start + abi.ArenaHeaderBytes,
		End: start + bytes}
	l.methods = int(min(bytes/16/abi.MethodBytes, maxMethods))
	l.Calls = l.Methods + uint64(l.methods)*abi.MethodBytes
	l.calls = int(min(bytes/8/abi.CallBytes, maxCalls))
	l.Early = aligned(l.Calls + uint64(l.calls)*abi.CallBytes)
	l.Chunks = aligned(l.Early + min(bytes/8, maxEarly))
	return l
}

// aligned rounds an offset up: nodes are named by eighths of theirs, tables of hashes by theirs and six bits.
func aligned(offset uint64) uint64 { return (offset + 63) &^ 63 }

// A Method is what an arena has to know of a method.
type Method struct {
	Words int      // of a node; 0 for a method that has no code of ours
	Name  string   // what calls of it say; "" for what the VM calls between any two instructions
	Calls []string // what the calls in it say, by slot; "" where they do not say
	PCs   []int    // of the calls, by slot, ascending

	// Raised: the VM and native code call it by themselves, wherever they throw. Calls that name it are not alone.
	Raised bool

	Announced []int32 // in the hashed shape what the calls announce, by slot

	transaction bool
}

// Lambda is the name of the bodies of lambdas, which are called by other names.
const Lambda = "lambda$"

// An Arena is the memory with the trees of all threads. It is not safe for use by several goroutines at a time.
type Arena struct {
	memory []byte // from layout.Top on
	layout Layout

	methods       []Method // by MethodID
	names         map[string]uint32
	calls         int    // and one: 0 is none
	code          uint64 // bytes that epochs take
	constants     int    // calls that have some in the current epoch
	overflow      uint64 // offset in a block of the next node that contexts share which there is no memory for
	overflowEnd   uint64
	overflowNodes []overflowNode // ascending

	links map[Node]Link  // of nodes that were not entered by a call in their caller
	known map[place]Node // the same by place
}

// A Link says where a node belongs that was not entered by its caller's call.
type Link struct {
	Parent Node
	PC     int // in the parent's method
}

type place struct {
	Link
	method MethodID
}

// ErrFull says that there is no room for more methods or calls.
var ErrFull = errors.New("calltree: the tables of methods are full")

// New makes an arena in memory that begins at layout.Top, of which threads may take so many bytes. Nodes that there is
// no memory for are in the threads' blocks, between two offsets.
func New(memory []byte, l Layout, limit, overflowStart, overflowEnd uint64) *Arena {
	a := &Arena{memory: memory, layout: l, methods: make([]Method, 1), calls: 1,
		names: map[string]uint32{Lambda: abi.LambdaName}, links: map[Node]Link{}, known: map[place]Node{},
		overflow: overflowStart, overflowEnd: overflowEnd}
	atomic.StoreUint64(a.word(l.Limit), min(l.End, l.Chunks+limit))
	atomic.StoreUint64(a.word(l.Top), l.Chunks)
	a.putMethod(0, 0, 0, a.takeFlat(0, abi.RootWords), abi.RootWords, 0)
	if l.Additions != 0 {
		a.startCode()
	}
	return a
}

// word gives the word at an offset.
func (a *Arena) word(offset uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&a.memory[offset-a.layout.Top]))
}

func (a *Arena) get(n Node, word int) uint64 {
	return atomic.LoadUint64(a.word(uint64(n) + 8*uint64(word)))
}

func (a *Arena) put(n Node, word int, v uint64) {
	atomic.StoreUint64(a.word(uint64(n)+8*uint64(word)), v)
}

// inside reports whether a node of so many words may be at an offset.
func (a *Arena) inside(n Node, words int) bool {
	return uint64(n) >= a.layout.Early && uint64(n)+8*uint64(words) <= a.layout.End && n&7 == 0
}

func (a *Arena) methodOf(n Node) MethodID { return MethodID(a.get(n, abi.NodeMethod)) }

// MethodOf gives the method of a node that [Arena.Scan] named.
func (a *Arena) MethodOf(n Node) MethodID { return a.methodOf(n) }

// name numbers what calls say.
func (a *Arena) name(s string) uint32 {
	if s == "" {
		return 0
	}
	n, ok := a.names[s]
	if !ok {
		n = uint32(len(a.names)) + 1
		a.names[s] = n
	}
	return n
}

// An overflowNode is a method's node in each thread's block.
type overflowNode struct {
	at     uint64 // offset in the block
	method MethodID
}

func (a *Arena) takeFlat(id MethodID, words int) uint64 {
	at := a.overflow
	a.overflow += 8 * uint64(words)
	a.overflowNodes = append(a.overflowNodes, overflowNode{at, id})
	return at
}

func (a *Arena) putMethod(id MethodID, name, firstCall uint32, overflow uint64, words int, calls uint32) {
	at := a.memory[a.methodAt(id):]
	binary.LittleEndian.PutUint32(at[abi.MethodName:], name)
	binary.LittleEndian.PutUint32(at[abi.MethodFirstCall:], firstCall)
	binary.LittleEndian.PutUint64(at[abi.MethodOverflow:], overflow)
	binary.LittleEndian.PutUint32(at[abi.MethodWords:], uint32(words))
	binary.LittleEndian.PutUint32(at[abi.MethodCalls:], calls)
}

// methodAt is where a method's row is in memory.
func (a *Arena) methodAt(id MethodID) uint64 {
	return a.layout.Methods - a.layout.Top + abi.MethodBytes*uint64(id)
}

// nameOf gives what calls of a method say; 0 for what nothing calls by name, or has no code of ours.
func (a *Arena) nameOf(id MethodID) uint32 {
	return binary.LittleEndian.Uint32(a.memory[a.methodAt(id)+abi.MethodName:])
}

// said gives what the call of a slot says; 0 where it does not.
func (a *Arena) said(id MethodID, word int) uint32 {
	if id == root {
		return 0
	}
	method := a.methodAt(id)
	call := uint64(binary.LittleEndian.Uint32(a.memory[method+abi.MethodFirstCall:])) + uint64(word-FirstSlot)
	return binary.LittleEndian.Uint32(a.memory[a.layout.Calls-a.layout.Top+abi.CallBytes*call+abi.CallName:])
}

// Add gives methods numbers in a row and returns the first. Before that no code of theirs may run.
func (a *Arena) Add(methods []Method) (MethodID, error) {
	first := MethodID(len(a.methods))
	calls, words := 0, 0
	for i := range methods {
		calls += len(methods[i].Calls)
		words += methods[i].Words
	}
	if len(a.methods)+len(methods) > a.layout.methods || a.calls+calls > a.layout.calls ||
		a.overflow+8*uint64(words) > a.overflowEnd {
		return 0, ErrFull
	}
	for i := range methods {
		m := &methods[i]
		kept := Method{Words: m.Words, PCs: m.PCs, Announced: m.Announced, Raised: m.Raised, transaction: m.transaction}
		if m.Words > 0 {
			described := uint32(len(m.Calls))
			if m.Raised {
				described |= abi.MethodRaised
			}
			a.putMethod(first+MethodID(i), a.name(m.Name), uint32(a.calls), a.takeFlat(first+MethodID(i), m.Words),
				m.Words, described)
		}
		for k, name := range m.Calls {
			number := a.name(name)
			at := a.memory[a.layout.Calls-a.layout.Top+abi.CallBytes*uint64(a.calls):]
			binary.LittleEndian.PutUint32(at[abi.CallName:], number)
			if m.Announced != nil {
				binary.LittleEndian.PutUint32(at[abi.CallAnnounce:], uint32(m.Announced[k]))
			} else {
				binary.LittleEndian.PutUint32(at[abi.CallAnnounce:], uint32(first)+uint32(i))
			}
			if k < len(m.PCs) {
				binary.LittleEndian.PutUint32(at[abi.CallPosition:], uint32(m.PCs[k]))
			}
			a.calls++
		}
		a.methods = append(a.methods, kept)
	}
	return first, nil
}

// words is how many words the nodes of a method have.
func (a *Arena) words(id MethodID) (int, error) {
	switch {
	case id == root:
		return abi.RootWords, nil
	case id == 0 || int(id) >= len(a.methods):
		return 0, fmt.Errorf("calltree: a node of method %d", id)
	case a.methods[id].Words == 0:
		return FirstSlot, nil
	}
	return a.methods[id].Words, nil
}
