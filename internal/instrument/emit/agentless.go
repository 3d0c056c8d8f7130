package emit

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// agentless is the backend of contexts where no agent is. The tree's nodes are objects, of the class Node of
// [Options.Portable], and the local variable refers to one:
//
//	ldc METHOD; ldc FIRST; sipush SLOTS; sipush COUNTERS      Number; first counter; how many calls and counters
//	invokestatic NODES.enter (IIII)LNODES;                    enterAny for what the VM calls
//	astore N
//	...
//	aload N; sipush SLOT                   1 for the first call
//	invokestatic NODES.call (LNODES;I)V
//	invokevirtual ...
//	...
//	aload N; ldc COUNTER
//	invokestatic COUNTERS.count (LNODES;I)V
//	...
//	aload N
//	invokestatic NODES.leave (LNODES;)V
//	return
//	any exception:                         a bytecode.Guard
//	aload N
//	invokestatic NODES.thrown (LNODES;)V
//	athrow
//
// Nobody can be asked there who called an invocation. So what leaves by an exception says so as well, for the JDK may
// have called it, catch that, and call something else. The call of super() or this() cannot be guarded. It says which
// class's constructor it calls, and constructors say whose they are: chain and construct in place of call and enter
// (class Node of runtime/portable).
type agentless struct{ context }

var agentlessTraits = &Traits{
	ThreadFields: []Field{blockField, nextField, tableField},
	TellsClasses: true, MadeAside: true,
	MeasuresStrings: true, AnnouncesChains: true, AnswersCurrent: true, InitializersEnter: true, LeavesEnd: true,
}

func (a *agentless) Traits() *Traits { return agentlessTraits }

// nodeType is the descriptor of nodes.
func (a *agentless) nodeType() string { return "L" + a.names[inTree] + ";" }

func (a *agentless) load() bytecode.Instruction { return bytecode.LoadStore(bytecode.OpAload, a.local) }

func (a *agentless) Store() bytecode.Instruction {
	return bytecode.LoadStore(bytecode.OpAstore, a.local)
}

func (a *agentless) Local() (bytecode.VerificationType, error) {
	class, err := a.ClassConstant(a.names[inTree])
	return bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(class)}, err
}

func (a *agentless) node() ([]bytecode.Instruction, error) {
	return []bytecode.Instruction{a.load()}, nil
}

func (a *agentless) call(number uint32, m RuntimeMethod,
	before []bytecode.Instruction) ([]bytecode.Instruction, error) {
	invoke, err := a.invokeAs(m, &a.overloads[m], m.overload(a.nodeType()))
	if err != nil {
		return nil, err
	}
	push, err := a.push(number)
	return append(before[:len(before):len(before)], a.load(), push, invoke), err
}

// invoke gives the call of a method of the class of nodes, given its parameters.
func (a *agentless) invoke(m RuntimeMethod, parameters, result string) (bytecode.Instruction, error) {
	return a.invokeAs(m, &a.methods[m], "("+parameters+")"+result)
}

func (a *agentless) Enter(e *Entry) ([]bytecode.Instruction, int, error) {
	first, err := a.push(a.first)
	if err != nil {
		return nil, 0, err
	}
	code := []bytecode.Instruction{a.ldc(a.method), first, bytecode.PushInt(int16(a.calls)),
		bytecode.PushInt(int16(e.Counters))}
	m, parameters := enter, "IIII"
	switch {
	case e.Method == "<init>":
		name, err := a.text(e.Class)
		if err != nil {
			return nil, 0, err
		}
		code, m, parameters = append(code, name), construct, "IIII"+stringType
	case e.Name == Nameless:
		m = enterAnyAgentless
	}
	invoke, err := a.invoke(m, parameters, a.nodeType())
	code = append(code, invoke)
	return code, len(code), err // ... → node
}

// text pushes a class's name, as the JVM's stack traces have it.
func (a *agentless) text(class string) (bytecode.Instruction, error) {
	i, err := a.pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: strings.ReplaceAll(class, "/", ".")})
	if err == nil {
		i, err = a.pool.Append(classfile.Entry{Tag: classfile.TagString, A: i})
	}
	return a.ldc(i), err
}

func (a *agentless) Announce(c Call) ([]bytecode.Instruction, error) {
	code := []bytecode.Instruction{a.load(), bytecode.PushInt(int16(c.Slot + 1))}
	m, parameters := call, a.nodeType()+"I"
	if c.Chains {
		callee, _, _ := strings.Cut(c.Callee, "(")
		name, err := a.text(callee)
		if err != nil {
			return nil, err
		}
		code, m, parameters = append(code, name), chain, parameters+stringType
	}
	invoke, err := a.invoke(m, parameters, "V")
	return append(code, invoke), err // ..., node, slot → ...
}

// Transaction: where no agent is, calls of mallard.Context have this around them. The class itself may be anywhere.
//
//	dup                                                the name
//	invokestatic mallard/Context.begin
//	aload N; sipush SLOT
//	invokestatic TRANSACTIONS.begin (Ljava/lang/String;LNODES;I)LNODES;
//	astore N
//	...
//	invokestatic mallard/Context.end
//	aload N
//	invokestatic TRANSACTIONS.end (LNODES;)LNODES;
//	astore N
//	...
//	dup
//	invokestatic mallard/Context.enter                 or exit
//	aload N
//	invokestatic TRANSACTIONS.enter (Ljava/lang/String;LNODES;)V
//	...
//	invokestatic mallard/Context.current
//	pop2
//	aload N; sipush SLOT
//	invokestatic NODES.current (LNODES;I)J
func (a *agentless) Transaction(c Call) (Around, error) {
	node, at := a.nodeType(), bytecode.PushInt(int16(c.Slot+1))
	switch c.Transaction {
	case Begins: // ..., name → ..., name, node, slot → ..., node
		return a.behind(duplicate, beginTransaction, stringType+node+"I", node, a.load(), at)
	case Ends: // ... → ..., node → ..., node
		return a.behind(nil, endTransaction, node, node, a.load())
	case Enters: // ..., name → ..., name, node → ...
		return a.behind(duplicate, enterTransactionAgentless, stringType+node, "V", a.load())
	case Exits:
		return a.behind(duplicate, exitTransactionAgentless, stringType+node, "V", a.load())
	case AsksForContext: // ..., 0 → ..., node, slot → ..., number
		return a.behind(nil, current, node+"I", "J", bytecode.Insn(bytecode.OpPop2), a.load(), at)
	}
	return Around{}, nil
}

// behind calls a method of the runtime behind a call, and stores the node that it returns.
func (a *agentless) behind(before []bytecode.Instruction, m RuntimeMethod, parameters, result string,
	code ...bytecode.Instruction) (Around, error) {
	invoke, err := a.invoke(m, parameters, result)
	if code = append(code, invoke); result == a.nodeType() {
		code = append(code, a.Store())
	}
	return Around{Before: before, Behind: code, Stack: 3}, err
}

func (a *agentless) End(bool) ([]bytecode.Instruction, error) { return a.ending(leave) }

// ending gives the code for a return or for an exception. How an invocation ends does not depend on transactions: its
// node knows where it was called from.
func (a *agentless) ending(m RuntimeMethod) ([]bytecode.Instruction, error) {
	invoke, err := a.invoke(m, a.nodeType(), "V")
	return []bytecode.Instruction{a.load(), invoke}, err // ..., node → ...
}

func (a *agentless) Begin(*Naming, int) ([]bytecode.Instruction, error) { return nil, nil }

func (a *agentless) Over(bool) ([]bytecode.Instruction, error) { return nil, nil }

func (a *agentless) Guard(bool) (*bytecode.Guard, error) {
	code, err := a.ending(thrownAgentless)
	if err != nil {
		return nil, err
	}
	return a.guard(code, 1)
}
