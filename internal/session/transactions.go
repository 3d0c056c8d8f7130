package session

import (
	"encoding/binary"
	"fmt"

	"mallard/internal/calltree"
	"mallard/internal/classfile"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// Names of transactions that the program cannot have given.
const (
	otherTransactions = "[other]"
	namelessOnes      = "(empty)"
)

// transaction gives a number to a name of transactions that the agent has not heard before.
func (s *Session) transaction(p *wire.Payload) error {
	others, name := p.Uint32() != 0, p.String()
	if err := p.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	number := s.numberTransaction(name, others)
	s.mu.Unlock()
	return s.conn.Answer(wire.OK, binary.LittleEndian.AppendUint32(nil, uint32(number)))
}

// numberTransaction is 0 where there are no contexts, or no room for more methods.
func (s *Session) numberTransaction(name string, others bool) calltree.MethodID {
	if s.contexts == nil {
		return 0
	}
	if decoded, err := classfile.DecodeModifiedUTF8(name); err == nil {
		name = decoded
	}
	switch {
	case others:
		name = otherTransactions
		s.recording.Loss("transactions", fmt.Sprintf("more than %d different names: what was done in transactions with other names is in %s", wire.MostTransactions, name))
	case name == "":
		name = namelessOnes
	}
	number, err := s.contexts.arena.AddTransaction(instrument.BeginCall)
	if err != nil {
		s.recording.Loss("transactions", fmt.Sprintf("transactions %q: %v", name, err))
		return 0
	}
	s.contexts.known = append(s.contexts.known, contextMethod{calls: []methodCall{{bci: -1, line: -1}}})
	s.recording.Put(&trace.Transaction{Number: trace.MethodID(number), Name: name})
	return number
}

// around gives the node whose call led to a context, as a recording has it: of a transaction the caller's of the invocation that began it.
func (c *contexts) around(x *calltree.Context) calltree.Context {
	if x.Parent == 0 || !c.arena.IsTransaction(x.Method) || c.arena.IsTransaction(c.arena.MethodOf(x.Parent)) {
		return *x
	}
	return c.arena.Context(x.Parent)
}
