package calltree

import (
	"encoding/binary"
	"fmt"

	"mallard/internal/abi"
)

// Rows are methods as the tables of an arena have them. The numbers of methods and calls in them, and the places of
// overflow nodes, are relative: the first is 0. Names have the numbers that they keep.
type Rows struct {
	Methods, Calls []byte
	Overflow       uint32 // words of all overflow nodes
	CallsOfMethods bool   // what calls announce is the number of their method
}

// RowsOf gives the rows of methods, given how names are numbered.
func RowsOf(methods []Method, name func(string) uint32) Rows {
	r := Rows{Methods: make([]byte, abi.MethodBytes*len(methods)), CallsOfMethods: true}
	le := binary.LittleEndian
	for i := range methods {
		m := &methods[i]
		if m.Words > 0 {
			described := uint32(len(m.Calls))
			if m.Raised {
				described |= abi.MethodRaised
			}
			row := r.Methods[abi.MethodBytes*i:]
			le.PutUint32(row[abi.MethodName:], name(m.Name))
			le.PutUint32(row[abi.MethodFirstCall:], uint32(r.calls()))
			le.PutUint64(row[abi.MethodOverflow:], 8*uint64(r.Overflow))
			le.PutUint32(row[abi.MethodWords:], uint32(m.Words))
			le.PutUint32(row[abi.MethodCalls:], described)
			r.Overflow += uint32(m.Words)
		}
		for k, callee := range m.Calls {
			row := make([]byte, abi.CallBytes)
			le.PutUint32(row[abi.CallName:], name(callee))
			le.PutUint32(row[abi.CallAnnounce:], uint32(i))
			if m.Announced != nil {
				le.PutUint32(row[abi.CallAnnounce:], uint32(m.Announced[k]))
				r.CallsOfMethods = false
			}
			if k < len(m.PCs) {
				le.PutUint32(row[abi.CallPosition:], uint32(m.PCs[k]))
			}
			r.Calls = append(r.Calls, row...)
		}
	}
	return r
}

func (r *Rows) methods() int { return len(r.Methods) / abi.MethodBytes }
func (r *Rows) calls() int   { return len(r.Calls) / abi.CallBytes }

// Rename gives names other numbers.
func (r *Rows) Rename(number func(uint32) uint32) {
	rename := func(rows []byte, size, at int) {
		for ; len(rows) >= size; rows = rows[size:] {
			name := rows[at:]
			binary.LittleEndian.PutUint32(name, number(binary.LittleEndian.Uint32(name)))
		}
	}
	rename(r.Methods, abi.MethodBytes, abi.MethodName)
	rename(r.Calls, abi.CallBytes, abi.CallName)
}

// putRows takes numbers for rows, puts them into the tables, and gives the number of the first method. The agent does
// the same with what is in the class cache (agent/arena.c).
func (a *Arena) putRows(r *Rows) (MethodID, error) {
	first, ok := a.numbers(abi.ArenaMethods, uint32(r.methods()))
	call, more := a.numbers(abi.ArenaCalls, uint32(r.calls()))
	overflow, enough := a.numbers(abi.ArenaOverflow, r.Overflow)
	if !ok || !more || !enough {
		return 0, ErrFull
	}
	a.writeRows(r, MethodID(first), call, 8*uint64(overflow))
	return MethodID(first), nil
}

// writeRows puts rows into the tables, given the numbers of the first method and call, and where the first overflow
// node is.
func (a *Arena) writeRows(r *Rows, first MethodID, call uint32, overflow uint64) {
	le := binary.LittleEndian
	add := func(field []byte, n uint32) { le.PutUint32(field, le.Uint32(field)+n) }
	methods := a.memory[a.methodAt(first):][:len(r.Methods)]
	copy(methods, r.Methods)
	for ; len(methods) > 0; methods = methods[abi.MethodBytes:] {
		if le.Uint32(methods[abi.MethodWords:]) > 0 {
			add(methods[abi.MethodFirstCall:], call)
			at := methods[abi.MethodOverflow:]
			le.PutUint64(at, le.Uint64(at)+overflow)
		}
	}
	calls := a.memory[a.layout.Calls-a.layout.Top+abi.CallBytes*uint64(call):][:len(r.Calls)]
	copy(calls, r.Calls)
	for ; r.CallsOfMethods && len(calls) > 0; calls = calls[abi.CallBytes:] {
		add(calls[abi.CallAnnounce:], uint32(first))
	}
}

// Add gives methods numbers in a row and returns the first. Before that no code of theirs may run.
func (a *Arena) Add(methods []Method) (MethodID, error) {
	rows := RowsOf(methods, a.names.number)
	first, err := a.putRows(&rows)
	if err == nil {
		err = a.Describe(first, methods)
	}
	return first, err
}

// Describe says what methods are that have numbers in a row, and rows in the tables.
func (a *Arena) Describe(first MethodID, methods []Method) error {
	end := uint64(first) + uint64(len(methods))
	if end > uint64(a.taken(abi.ArenaMethods)) {
		return fmt.Errorf("calltree: methods %d to %d have no numbers", first, end)
	}
	if n := len(a.methods); uint64(n) < end { // the agent may have told of later ones first
		a.methods = append(a.methods, make([]Method, end-uint64(n))...)
	}
	for i := range methods {
		id := first + MethodID(i)
		a.describe(id, &methods[i])
		if methods[i].Words > 0 {
			a.addOverflow(overflowNode{a.overflowOf(id), id})
		}
	}
	return nil
}

// describe remembers of a method what is not in the tables.
func (a *Arena) describe(id MethodID, m *Method) {
	a.methods[id] = Method{Words: m.Words, PCs: m.PCs, Announced: m.Announced, Raised: m.Raised,
		transaction: m.transaction}
}
