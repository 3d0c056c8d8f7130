package emit

import "mallard/internal/bytecode"

// withAgent is what the backends have in common whose contexts are numbers in a local variable, a long: a node, a hash
// or an encoding. Counters are words of a node in the JVM's memory.
type withAgent struct {
	context
	transactions *transactionMethods
}

// ContextStack is how many operand slots code needs that finds out a context, announces it or ends it.
const ContextStack = 3

func (a *withAgent) load() bytecode.Instruction { return bytecode.LoadStore(bytecode.OpLload, a.local) }

func (a *withAgent) Store() bytecode.Instruction {
	return bytecode.LoadStore(bytecode.OpLstore, a.local)
}

func (a *withAgent) Local() (bytecode.VerificationType, error) {
	return bytecode.VerificationType{Tag: bytecode.Long}, nil
}

func (a *withAgent) Guard(begins bool) (*bytecode.Guard, error) {
	if !begins {
		return nil, nil
	}
	code, err := a.Over(true)
	if err != nil {
		return nil, err
	}
	return a.guard(code, 2)
}

// count is Backend.call, given the code that pushes the node.
func (a *withAgent) count(number uint32, m RuntimeMethod, before []bytecode.Instruction,
	pushNode func() ([]bytecode.Instruction, error)) ([]bytecode.Instruction, error) {
	invoke, err := a.invokeAs(m, &a.overloads[m], m.overload("J"))
	if err != nil {
		return nil, err
	}
	node, err := pushNode()
	code := make([]bytecode.Instruction, 0, len(before)+len(node)+4)
	code = append(append(append(code, before...), node...), a.word(number))
	if err == nil && m.tells() {
		var push bytecode.Instruction
		push, err = a.push(number)
		code = append(code, bytecode.PushInt(int16(NodeHeader+a.calls-1)), push)
	}
	return append(code, invoke), err
}

// withMethod gives the code that hands what the variable has, and the method, to a method of the runtime classes.
func (a *withAgent) withMethod(m RuntimeMethod) ([]bytecode.Instruction, error) {
	invoke, err := a.Invoke(m)
	return []bytecode.Instruction{a.load(), a.ldc(a.method), invoke}, err // ..., number, method → ...
}

// ending gives what the code before a return begins with.
func (a *withAgent) ending(transacts bool) ([]bytecode.Instruction, error) {
	code := []bytecode.Instruction{a.load()}
	if transacts {
		invoke, err := a.Invoke(transactionsOver)
		if err != nil {
			return nil, err
		}
		code = append(code, invoke) // ..., node → ..., node
	}
	return code, nil
}

// entering completes the code that enters, which has pushed what the variable is to have.
func (a *withAgent) entering(code []bytecode.Instruction, e *Entry) ([]bytecode.Instruction, int, error) {
	if !e.Transacts {
		return code, ContextStack, nil
	}
	invoke, err := a.Invoke(a.transactions.forget)
	if err != nil {
		return nil, 0, err
	}
	// node → node, node, method → node
	return append(code, bytecode.Insn(bytecode.OpDup2), a.ldc(a.method), invoke), 5, nil
}

func (a *withAgent) Transaction(c Call) (Around, error) {
	m := None
	switch c.Transaction {
	case Begins:
		m = a.transactions.begin
	case Ends:
		m = endTransaction
	case Enters:
		m = a.transactions.enter
	case Exits:
		m = a.transactions.exit
	}
	if m == None {
		return Around{}, nil
	}
	invoke, err := a.Invoke(m)
	if err != nil {
		return Around{}, err
	}
	around := Around{Behind: []bytecode.Instruction{a.load(), invoke}, Stack: 5} // ..., node → ..., node
	if c.Transaction != Ends {
		around.Before = duplicate
		// ..., name, node, method, slot → ..., node for begin, ... for others
		around.Behind = []bytecode.Instruction{a.load(), a.ldc(a.method), bytecode.PushInt(int16(NodeHeader + c.Slot)),
			invoke}
	}
	if c.Transaction.OfInvocation() {
		around.Behind = append(around.Behind, a.Store())
	}
	return around, nil
}

// Begin gives the code that begins a transaction at a place of its own, in a slot that no call has.
func (a *withAgent) Begin(n *Naming, slot int) ([]bytecode.Instruction, error) {
	code, err := a.name(n)
	if err != nil {
		return nil, err
	}
	invoke, err := a.Invoke(a.transactions.beginNumber)
	// ..., number, node, method, slot → ..., node →
	return append(code, a.load(), a.ldc(a.method), bytecode.PushInt(int16(NodeHeader+slot)), invoke, a.Store()), err
}

// Over gives the code that ends what an invocation has begun, and counts it or not.
func (a *withAgent) Over(counted bool) ([]bytecode.Instruction, error) {
	m := transactionsOver
	if !counted {
		m = transactionsDropped
	}
	invoke, err := a.Invoke(m)
	return []bytecode.Instruction{a.load(), invoke, a.Store()}, err // ..., node → ..., node →
}
