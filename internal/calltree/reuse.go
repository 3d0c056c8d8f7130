package calltree

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"

	"mallard/internal/abi"
)

// Methods whose class was unloaded are in no stack any more: in nodes of theirs, and in all below, nobody counts. These
// stay where they are, and so do the hashes and slots that lead to them. Where the methods of another class have as
// many words and calls each, they can have the same numbers: [Arena.Reuse]; so can each method by itself
// ([MethodNumbers]). Then they have the nodes, too, which [Arena.Clear] has emptied before.

// A Shape says how many words and calls each of a class's methods has. Where contexts are encoded it says all that is
// in their rows, for the constants of calls hold for what these call.
type Shape string

// ShapeOf gives the shape of methods, and the number of its bit in abi.ArenaShapes.
func (a *Arena) ShapeOf(methods []Method) (Shape, int) {
	return a.shape(RowsOf(methods, a.names.number))
}

func (a *Arena) shape(r Rows) (Shape, int) {
	le := binary.LittleEndian
	var sum uint64
	var shape []byte
	for rows := r.Methods; len(rows) > 0; rows = rows[abi.MethodBytes:] {
		for _, at := range []int{abi.MethodWords, abi.MethodCalls} {
			n := le.Uint32(rows[at:])
			sum = (sum + uint64(n)) * abi.HashAnchor
			shape = le.AppendUint32(shape, n)
		}
	}
	if a.layout.Additions != 0 {
		shape = append(append(shape, r.Methods...), r.Calls...)
	}
	return Shape(shape), int(sum >> (64 - abi.ShapeBits))
}

// rowsOf gives the rows of methods in a row as they are in the tables, relative again.
func (a *Arena) rowsOf(first MethodID, n int) Rows {
	le := binary.LittleEndian
	r := Rows{Methods: slices.Clone(a.memory[a.methodAt(first):][:n*abi.MethodBytes]), CallsOfMethods: true}
	started := false
	var call uint32
	var overflow uint64
	for i := range n {
		m := &a.methods[first+MethodID(i)]
		row := r.Methods[i*abi.MethodBytes:]
		if m.Words == 0 {
			continue
		}
		at, node := le.Uint32(row[abi.MethodFirstCall:]), le.Uint64(row[abi.MethodOverflow:])
		if !started {
			started, call, overflow = true, at, node
		}
		le.PutUint32(row[abi.MethodFirstCall:], at-call)
		le.PutUint64(row[abi.MethodOverflow:], node-overflow)
		calls := a.memory[a.layout.Calls-a.layout.Top+abi.CallBytes*uint64(at):][:len(m.PCs)*abi.CallBytes]
		r.Calls = append(r.Calls, calls...)
		r.CallsOfMethods = r.CallsOfMethods && m.Announced == nil
	}
	for calls := r.Calls; r.CallsOfMethods && len(calls) > 0; calls = calls[abi.CallBytes:] {
		le.PutUint32(calls[abi.CallAnnounce:], le.Uint32(calls[abi.CallAnnounce:])-uint32(first))
	}
	return r
}

// PutShapes says which shapes methods have whose numbers are free.
func (a *Arena) PutShapes(bits uint64) { atomic.StoreUint64(a.header(abi.ArenaShapes), bits) }

// Reuse gives methods the numbers of others that had their shape, and are of a class that was unloaded.
func (a *Arena) Reuse(first MethodID, methods []Method) error {
	if uint64(first)+uint64(len(methods)) > uint64(len(a.methods)) {
		return fmt.Errorf("calltree: methods %d and the next %d were not described", first, len(methods))
	}
	rows := RowsOf(methods, a.names.number)
	for i := range methods {
		id := first + MethodID(i)
		if methods[i].Words != a.methods[id].Words || len(methods[i].PCs) != len(a.methods[id].PCs) {
			return fmt.Errorf("calltree: method %d has another shape", id)
		}
	}
	for i := range methods { // the numbers of the first that has a row hold for all
		if id := first + MethodID(i); methods[i].Words > 0 {
			a.writeRows(&rows, first, a.FirstCall(id), a.overflowOf(id))
			break
		}
	}
	for i := range methods {
		a.describe(first+MethodID(i), &methods[i])
	}
	return nil
}

// Unload frees what is remembered of the methods of a class, but for what their nodes look like, and gives their shape
// and its bit.
func (a *Arena) Unload(first MethodID, n int) (Shape, int) {
	shape, bit := a.shape(a.rowsOf(first, n))
	for i := range n {
		a.methods[first+MethodID(i)].Announced = nil
	}
	return shape, bit
}

// OverflowWords gives where a method counts in a thread's block what there is no memory for: words of the block.
func (a *Arena) OverflowWords(id MethodID) (first, end uint64) {
	first = a.overflowOf(id) / 8
	return first, first + uint64(a.methods[id].Words)
}
