package emit

import (
	"mallard/internal/abi"
	"mallard/internal/bytecode"
)

// hashed is the backend of contexts that are hashes. An invocation has a hash of its context in place of the node, and
// nothing in memory is touched but two fields of the thread:
//
//	ldc METHOD; ldc NODE                   Number (PatchMethods); Words << 32 | a hash of Name
//	invokestatic java/lang/$MallardHash.begin (II)J
//	lstore N
//	...
//	lload N; ldc CALL                      the slot (of the tree's node) << 32 | a hash of Callee
//	invokestatic java/lang/$MallardHash.announce (JI)V
//	invokevirtual ...
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardHash.node (JI)J
//	sipush WORD                            the node is the tree's
//	invokestatic java/lang/$MallardHash.count (JI)V
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardHash.end (JI)V
//	return
//
// The body of a lambda begins with beginAny, for calls have other names. Methods that call nothing need no end.
type hashed struct{ withAgent }

var hashedTraits = &Traits{
	ThreadFields: []Field{blockField, nextField, tableField, calledField},
	Hooks:        true, TellsClasses: true, ClassNodes: true, BeginsLate: true,
}

func (h *hashed) Traits() *Traits { return hashedTraits }

func (h *hashed) node() ([]bytecode.Instruction, error) { return h.withMethod(nodeOf) }

func (h *hashed) call(number uint32, m RuntimeMethod, before []bytecode.Instruction) ([]bytecode.Instruction, error) {
	return h.count(number, m, before, h.node)
}

func (h *hashed) Enter(e *Entry) ([]bytecode.Instruction, int, error) {
	m, name := begin, uint16(neverName)
	switch e.Name {
	case Nameless:
	case Lambda:
		m = beginAny
	default:
		name = nameHash(e.Name)
	}
	words := uint32(e.Words)<<abi.AnnounceWordShift | uint32(name)<<abi.AnnounceNameShift
	node, err := h.pool.AppendInteger(int32(words))
	if err != nil {
		return nil, 0, err
	}
	invoke, err := h.Invoke(m)
	if err != nil {
		return nil, 0, err
	}
	// method, words and name → hash
	return h.entering([]bytecode.Instruction{h.ldc(h.method), h.ldc(node), invoke}, e)
}

func (h *hashed) Announce(c Call) ([]bytecode.Instruction, error) {
	number, err := h.pool.AppendInteger(Announcement(c.Slot, c.Callee))
	if err != nil {
		return nil, err
	}
	invoke, err := h.Invoke(announce)
	return []bytecode.Instruction{h.load(), h.ldc(number), invoke}, err // ..., hash, call → ...
}

func (h *hashed) End(transacts bool) ([]bytecode.Instruction, error) {
	code, err := h.ending(transacts)
	if err != nil {
		return nil, err
	}
	invoke, err := h.Invoke(end)
	return append(code, h.ldc(h.method), invoke), err // ..., hash → ..., hash, method → ...
}
