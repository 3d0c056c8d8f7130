package calltree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
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
	made MethodID = abi.MadeMethod

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

	Announced []int32 // where contexts are hashed what the calls announce, by slot

	transaction bool
}

// NativeMethod is a method without bytecode, given its name: whatever it calls has one slot.
func NativeMethod(name string) Method {
	return Method{Words: FirstSlot + 1, Name: name, Calls: []string{""}, PCs: []int{NativePC}}
}

// NativePC is where frames of native methods stand.
const NativePC = -1

// An Arena is the memory with the trees of all threads. It is not safe for use by several goroutines at a time.
type Arena struct {
	memory []byte // from layout.Top on
	layout Layout

	methods       []Method // by MethodID
	names         names
	code          uint64         // bytes that epochs take
	constants     int            // calls that have some in the current epoch
	overflowNodes []overflowNode // of contexts that there is no memory for, ascending

	links      map[Node]Link       // of nodes that were not entered by a call in their caller
	known      map[calleeKey]Node  // the same by what is called
	lastStacks map[Node]*lastStack // by threads' first nodes
	holes      map[Node][]hole     // by the same, in the order of memory
}

// A Link says where a node belongs that was not entered by its caller's call.
type Link struct {
	Parent Node
	PC     int // in the parent's method
}

// A Frame is one of a stack.
type Frame struct {
	Method MethodID
	PC     int  // in the method's code as the JVM has it
	Native bool // it has none
	Gap    bool // between it and its caller are frames that stand in no stack: of hidden classes
}

// placed is the stack that was placed last in a tree, outside of transactions, and its nodes. The next one mostly has
// the same outer frames, and they have the same nodes: those never move, and a place never has another.
type lastStack struct {
	frames []Frame // outermost first
	nodes  []Node
}

type calleeKey struct {
	Link
	method MethodID
}

// ErrFull says that there is no room for more methods or calls.
var ErrFull = errors.New("calltree: the tables of methods are full")

// New makes an arena in memory that begins at layout.Top, of which threads may take so many bytes. Nodes that there is
// no memory for are in the threads' blocks, between two offsets.
func New(memory []byte, l Layout, limit, overflowStart, overflowEnd uint64) *Arena {
	a := &Arena{memory: memory, layout: l, methods: make([]Method, 1), names: newNames(), links: map[Node]Link{},
		known: map[calleeKey]Node{}, lastStacks: map[Node]*lastStack{},
		holes: map[Node][]hole{}}
	atomic.StoreUint64(a.word(l.Limit), min(l.End, l.Chunks+limit))
	atomic.StoreUint64(a.word(l.Top), l.Chunks)
	a.offer(abi.ArenaMethods, 1, uint32(l.methods)) // 0 is none, as with calls
	a.offer(abi.ArenaCalls, 1, uint32(l.calls))
	a.offer(abi.ArenaOverflow, uint32(overflowStart/8)+abi.RootWords, uint32(overflowEnd/8))
	a.putRoot(overflowStart)
	if l.Additions != 0 {
		a.startCode()
	}
	return a
}

// putRoot says where nodes without a method are that there is no memory for.
func (a *Arena) putRoot(overflow uint64) {
	row := a.memory[a.methodAt(0):]
	binary.LittleEndian.PutUint64(row[abi.MethodOverflow:], overflow)
	binary.LittleEndian.PutUint32(row[abi.MethodWords:], abi.RootWords)
	a.addOverflow(overflowNode{overflow, 0})
}

// word gives the word at an offset.
func (a *Arena) word(offset uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&a.memory[offset-a.layout.Top]))
}

func (a *Arena) header(word int) *uint64 { return a.word(a.layout.Top + 8*uint64(word)) }

// offer lets numbers [first, end) be taken from a word.
func (a *Arena) offer(word int, first, end uint32) {
	atomic.StoreUint64(a.header(word), uint64(end)<<abi.ReservedEndShift|uint64(first))
}

// startCode makes the first epoch begin, in which no call has a constant.
func (a *Arena) startCode() {
	atomic.StoreUint64(a.header(abi.ArenaAnchors), abi.AnchorsAtOnce) // 0 is none
	atomic.StoreUint64(a.header(abi.ArenaEpoch), 1<<abi.NumberEpochShift)
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

// An overflowNode is a method's node in each thread's block.
type overflowNode struct {
	at     uint64 // offset in the block
	method MethodID
}

func (a *Arena) addOverflow(n overflowNode) {
	i := len(a.overflowNodes)
	for i > 0 && a.overflowNodes[i-1].at > n.at { // the agent may have told of later ones first
		i--
	}
	a.overflowNodes = slices.Insert(a.overflowNodes, i, n)
}

// overflowOf is where a method's overflow node is.
func (a *Arena) overflowOf(id MethodID) uint64 {
	return binary.LittleEndian.Uint64(a.memory[a.methodAt(id)+abi.MethodOverflow:])
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

// Methods is how many numbers of methods may be described, and one: 0 is none.
func (a *Arena) Methods() int { return len(a.methods) }

// words is how many words the nodes of a method have.
func (a *Arena) words(id MethodID) (int, error) {
	switch {
	case id == root:
		return abi.RootWords, nil
	case id == made:
		return abi.MadeWords, nil
	case id == 0 || int(id) >= len(a.methods):
		return 0, fmt.Errorf("calltree: a node of method %d", id)
	case a.methods[id].Words == 0:
		return FirstSlot, nil
	}
	return a.methods[id].Words, nil
}
