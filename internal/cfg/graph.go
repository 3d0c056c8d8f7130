package cfg

import (
	"fmt"
	"sort"
)

// BlockID is the index of a block in Graph.Blocks.
type BlockID int32

// EdgeID is the index of an edge in Graph.Edges.
type EdgeID int32

// NoBlock stands for the absence of a block, e.g. the dominator of the entry.
const NoBlock BlockID = -1

// Kind says how control passes along an edge, and with it where code that
// belongs to the edge can be put.
type Kind uint8

const (
	// FallThrough: from the last instruction of a block to the one after it.
	FallThrough Kind = iota
	// Taken: a branch, conditional or not; jsr too.
	Taken
	// Switch: all cases (and the default) of one switch that lead to one target.
	Switch
	// Return: from a return instruction to the exit.
	Return
	// Throw: from an athrow to the exit, whether or not a handler of the same
	// method catches it. The block holds the athrow alone and is a forced zero.
	Throw
	// Ret: from a ret to a place its subroutine may return to. The block holds
	// the ret alone and is a forced zero.
	Ret
)

var kindNames = [...]string{"fallthrough", "taken", "switch", "return", "throw", "ret"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Placeable reports whether code can be put on edges of the kind.
func (k Kind) Placeable() bool { return k != Throw && k != Ret }

// Block is a maximal run of instructions that control enters at the first and
// leaves at the last, cut further at forced zeros.
type Block struct {
	First, End int     // instructions First <= i < End; both the code's length for the exit
	Zero       bool    // φ must be zero when control arrives here
	Handler    bool    // an exception handler starts here
	Freq       float64 // expected executions per invocation of the method

	Out, In []EdgeID // set by New; ascending
	Idom    BlockID  // immediate dominator over edges and exception edges; NoBlock for entry and unreachable blocks
	Loop    LoopID   // innermost loop, NoLoop outside of any
}

// Edge is one way control passes from a block to another. Two edges with the
// same ends differ in kind.
type Edge struct {
	From, To BlockID
	Kind     Kind
	Cases    int     // for Switch: how many cases, the default included, it stands for
	Freq     float64 // expected traversals per invocation of the method
}

// Exception is an exception edge: an instruction of From is covered by an
// exception table entry whose handler is To. No code can be put on it.
type Exception struct{ From, To BlockID }

// LoopID is the index of a loop in Graph.Loops.
type LoopID int32

// NoLoop is the loop of blocks that are in none, and the parent of outermost loops.
const NoLoop LoopID = -1

// Loop is a set of blocks that can reach each other, with one of them chosen as
// the header: for natural loops the block that dominates all others.
type Loop struct {
	Header      BlockID
	Parent      LoopID // the loop around this one
	Depth       int    // 1 for an outermost loop
	Irreducible bool   // control can also enter beside the header
}

// Graph is the control flow graph of a method. It is not changed after New or
// Build but for its frequencies.
type Graph struct {
	Blocks     []Block // ascending by First; the entry first, the exit last
	Edges      []Edge
	Exceptions []Exception // ascending by From, To; no duplicates
	Loops      []Loop      // outer loops before the loops inside them

	rpo []BlockID // reachable blocks in reverse post-order over edges and exception edges
}

// Entry is the block where every invocation starts.
func (g *Graph) Entry() BlockID { return 0 }

// Exit is the virtual block where every normal or exceptional way out ends.
func (g *Graph) Exit() BlockID { return BlockID(len(g.Blocks) - 1) }

// BlockAt returns the block that contains instruction i.
func (g *Graph) BlockAt(i int) BlockID {
	b := sort.Search(len(g.Blocks), func(b int) bool { return g.Blocks[b].End > i })
	return BlockID(b)
}

// Branch returns the branch, switch or return instruction that control passes
// on edge e; for a FallThrough edge the last instruction before it.
func (g *Graph) Branch(e EdgeID) int { return g.Blocks[g.Edges[e].From].End - 1 }

// Reachable reports whether control can get to block b, handlers included.
func (g *Graph) Reachable(b BlockID) bool { return b == g.Entry() || g.Blocks[b].Idom != NoBlock }

// ReversePostOrder returns the reachable blocks, each before its successors but
// for edges that go back. The slice belongs to the graph.
func (g *Graph) ReversePostOrder() []BlockID { return g.rpo }
