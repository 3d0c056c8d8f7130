package instrument

import (
	"slices"

	"mallard/internal/bytecode"
)

// A named transaction begins and ends where code calls mallard.Context.begin and end. The invocation that begins one goes on in another context, whose caller is the
// transaction; see java.lang.$MallardTransactions. So its local variable gets another value behind the call:
//
//	dup                                    the name
//	invokestatic mallard/Context.begin     which does nothing
//	lload N; ldc METHOD; sipush SLOT       of the call
//	invokestatic java/lang/$MallardTransactions.begin (Ljava/lang/String;JII)J, or beginHash, or beginCode
//	lstore N
//	...
//	invokestatic mallard/Context.end       which does nothing
//	lload N
//	invokestatic java/lang/$MallardTransactions.end (J)J
//	lstore N
//
// φ is zero before and behind both calls. What such a method has not ended when it returns ends there ($MallardTransactions.over, in front of end or leave);
// what it has not ended when an exception leaves it is taken away when it is called the next time (forget, forgetHash or forgetCode, right behind enter or begin).

// BeginCall is what the call says that begins a transaction: [Call.Callee].
const BeginCall = "begin(Ljava/lang/String;)V"

const endCall = "end()V"

// The same for a thread; see java.lang.$MallardEntered. Behind these calls:
//
//	lload N; ldc METHOD; sipush SLOT       of the call, above the name
//	invokestatic java/lang/$MallardEntered.enterTree (Ljava/lang/String;JII)V, or enterHash, enterCode, exitTree, exitHash, exitCode
const (
	enterCall = "enter(Ljava/lang/String;)V"
	exitCall  = "exit(Ljava/lang/String;)V"
)

// transactionCall says what a call is to transactions.
type transactionCall uint8

const (
	noTransaction transactionCall = iota
	beginsTransaction
	endsTransaction
	entersTransaction
	exitsTransaction
	asksForContext // where no agent is; elsewhere mallard.Context.current has code of its own
)

// transactionCallOf looks at a call of a static method.
func transactionCallOf(in bytecode.Instruction, class, call string) transactionCall {
	switch {
	case class != contextClass || in.Op != bytecode.OpInvokestatic:
	case call == BeginCall:
		return beginsTransaction
	case call == endCall:
		return endsTransaction
	case call == enterCall:
		return entersTransaction
	case call == exitCall:
		return exitsTransaction
	}
	return noTransaction
}

// method gives the method of a runtime class that stands behind a call.
func (t transactionCall) method(shape Representation) runtimeMethod {
	switch t {
	case beginsTransaction:
		return inShape(shape, beginTransaction, beginTransactionHash, beginTransactionCode)
	case endsTransaction:
		return endTransaction
	case entersTransaction:
		return inShape(shape, enterTransactionTree, enterTransactionHash, enterTransactionCode)
	case exitsTransaction:
		return inShape(shape, exitTransactionTree, exitTransactionHash, exitTransactionCode)
	}
	return none
}

// transacts reports whether one of a method's calls begins or ends a transaction of the invocation.
func transacts(sites []callSite) bool {
	return slices.ContainsFunc(sites, func(c callSite) bool { return c.transaction == beginsTransaction || c.transaction == endsTransaction })
}

// transactionZeros lists the instructions of a method before which φ must be zero, because it goes on in another context.
func transactionZeros(sites []callSite) []int {
	var zeros []int
	for _, c := range sites {
		if c.transaction != noTransaction {
			zeros = append(zeros, c.at, c.at+1)
		}
	}
	return zeros
}

// transaction inserts what stands around a call that begins or ends one.
func (p *plan) transaction(slot int, site callSite) error {
	c := p.calls
	if c.alone {
		return p.transactionAlone(slot, site)
	}
	local, method := c.node.load(), c.ldc(c.node.method)
	m := site.transaction.method(c.shape)
	if m == none {
		return nil
	}
	invoke, err := c.invoke(m)
	if err != nil {
		return err
	}
	var code []bytecode.Instruction
	if site.transaction == endsTransaction {
		code = []bytecode.Instruction{local, invoke} // ..., node → ..., node
	} else {
		p.insert(site.at, bytecode.Always, nil, []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)}, 1, nil) // ..., name → ..., name, name
		code = []bytecode.Instruction{local, method, bytecode.PushInt(int16(NodeHeader + slot)), invoke}       // ..., name, node, method, slot → ..., node for begin, ... for others
	}
	if site.transaction == beginsTransaction || site.transaction == endsTransaction {
		code = append(code, bytecode.LoadStore(bytecode.OpLstore, c.node.local))
	}
	p.insert(site.at+1, bytecode.FallThrough, nil, code, 5, nil)
	return nil
}

// forget gives the code that takes away what earlier invocations in a context have left behind.
func (c *calls) forget() ([]bytecode.Instruction, error) {
	invoke, err := c.invoke(inShape(c.shape, forgetTransactions, forgetTransactionsHash, forgetTransactionsCode))
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpDup2), c.ldc(c.node.method), invoke}, err // node → node, node, method → node
}

func inShape(shape Representation, tree, hashed, encoded runtimeMethod) runtimeMethod {
	switch shape {
	case Tree:
		return tree
	case Hashed:
		return hashed
	}
	return encoded
}
