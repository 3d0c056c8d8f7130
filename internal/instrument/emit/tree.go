package emit

import "mallard/internal/bytecode"

// tree is the backend of contexts that are nodes of a tree:
//
//	ldc METHOD; sipush WORDS               Number, when PatchMethods has made it absolute; Words
//	invokestatic java/lang/$MallardTree.enter (II)J
//	lstore N                               N is the slot behind all others
//	...
//	lload N; sipush SLOT                   the index in Calls + NodeHeader
//	invokestatic java/lang/$MallardTree.call (JI)V
//	invokevirtual ...                      the call; its operands were below all the time
//	...
//	lload N; sipush WORD                   what is ldc COUNTER in a method without a context
//	invokestatic java/lang/$MallardTree.count (JI)V
//	...
//	lload N
//	invokestatic java/lang/$MallardTree.leave (J)V
//	return                                 exceptions leave without
type tree struct{ withAgent }

var treeTraits = &Traits{
	ThreadFields: []Field{blockField, nextField, tableField},
	Hooks:        true, TellsClasses: true, ClassNodes: true, AnnouncesLeaves: true, LeavesEnd: true,
}

func (t *tree) Traits() *Traits { return treeTraits }

func (t *tree) node() ([]bytecode.Instruction, error) { return []bytecode.Instruction{t.load()}, nil }

func (t *tree) call(number uint32, m RuntimeMethod, before []bytecode.Instruction) ([]bytecode.Instruction, error) {
	return t.count(number, m, before, t.node)
}

func (t *tree) Enter(e *Entry) ([]bytecode.Instruction, int, error) {
	invoke, err := t.Invoke(enter)
	if err != nil {
		return nil, 0, err
	}
	// method, words → node
	return t.entering([]bytecode.Instruction{t.ldc(t.method), bytecode.PushInt(int16(e.Words)), invoke}, e)
}

func (t *tree) Announce(c Call) ([]bytecode.Instruction, error) {
	invoke, err := t.Invoke(call)
	// ..., node, slot → ...
	return []bytecode.Instruction{t.load(), bytecode.PushInt(int16(NodeHeader + c.Slot)), invoke}, err
}

func (t *tree) End(transacts bool) ([]bytecode.Instruction, error) {
	code, err := t.ending(transacts)
	if err != nil {
		return nil, err
	}
	invoke, err := t.Invoke(leave)
	return append(code, invoke), err // ..., node → ...
}
