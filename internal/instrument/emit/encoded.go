package emit

import "mallard/internal/bytecode"

// encoded is the backend of contexts that are encoded as numbers: a sum of constants of the calls, which stand in a
// table that the recorder fills (package callenc). Calls have numbers as well, in a row for each method:
//
//	ldc METHOD; sipush WORDS; ldc FIRST    Number; Words; FirstCall (PatchMethods, PatchCalls)
//	invokestatic java/lang/$MallardCode.begin (III)J
//	lstore N
//	...
//	lload N; ldc CALL                      FirstCall + the index in Calls
//	invokestatic java/lang/$MallardCode.announce (JI)V
//	invokevirtual ...
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardCode.node (JI)J
//	sipush WORD                            the node is the tree's
//	invokestatic java/lang/$MallardCode.count (JI)V
//	...
//	lload N; ldc METHOD
//	invokestatic java/lang/$MallardCode.end (JI)V
//	return
//
// Methods that call nothing need no end.
type encoded struct{ withAgent }

func (n *encoded) Traits() *Traits { return hashedTraits }

func (n *encoded) node() ([]bytecode.Instruction, error) { return n.withMethod(nodeEncoded) }

func (n *encoded) call(number uint32, m RuntimeMethod, before []bytecode.Instruction) ([]bytecode.Instruction, error) {
	return n.count(number, m, before, n.node)
}

func (n *encoded) Enter(e *Entry) ([]bytecode.Instruction, int, error) {
	first := bytecode.PushInt(0)
	if e.Calls > 0 {
		var err error
		if first, err = n.callNumber(n.firstCall); err != nil {
			return nil, 0, err
		}
	}
	invoke, err := n.Invoke(beginEncoded)
	if err != nil {
		return nil, 0, err
	}
	// method, words, first call → number
	return n.entering([]bytecode.Instruction{n.ldc(n.method), bytecode.PushInt(int16(e.Words)), first, invoke}, e)
}

func (n *encoded) Announce(c Call) ([]bytecode.Instruction, error) {
	number, err := n.callNumber(n.firstCall + uint32(c.Slot))
	if err != nil {
		return nil, err
	}
	invoke, err := n.Invoke(announceEncoded)
	return []bytecode.Instruction{n.load(), number, invoke}, err // ..., number, call → ...
}

func (n *encoded) End(transacts bool) ([]bytecode.Instruction, error) {
	code, err := n.ending(transacts)
	if err != nil {
		return nil, err
	}
	invoke, err := n.Invoke(endEncoded)
	return append(code, n.ldc(n.method), invoke), err // ..., number → ..., number, method → ...
}
