package instrument

import "mallard/internal/bytecode"

// Where no agent is, calls of mallard.Context have this around them. The class itself may be anywhere.
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
//
// How an invocation ends does not depend on transactions: its node knows where it was called from.

const currentCall = "current()J"

// contextCallAlone is transactionCallOf where no agent is.
func contextCallAlone(in bytecode.Instruction, class, call string) transactionCall {
	if class == contextClass && call == currentCall && in.Op == bytecode.OpInvokestatic {
		return asksForContext
	}
	return transactionCallOf(in, class, call)
}

// transactionAlone is transaction.
func (p *plan) transactionAlone(slot int, site callSite) error {
	c := p.calls
	node, at := c.nodeType(), bytecode.PushInt(int16(slot+1))
	switch site.transaction {
	case beginsTransaction:
		return p.behindCall(site, beginTransaction, stringType+node+"I", node, c.node.load(), at) // ..., name → ..., name, node, slot → ..., node
	case endsTransaction:
		return p.behindCall(site, endTransaction, node, node, c.node.load()) // ... → ..., node → ..., node
	case entersTransaction:
		return p.behindCall(site, enterTransactionAlone, stringType+node, "V", c.node.load()) // ..., name → ..., name, node → ...
	case exitsTransaction:
		return p.behindCall(site, exitTransactionAlone, stringType+node, "V", c.node.load())
	case asksForContext:
		return p.behindCall(site, current, node+"I", "J", bytecode.Insn(bytecode.OpPop2), c.node.load(), at) // ..., 0 → ..., node, slot → ..., number
	}
	return nil
}

const stringType = "Ljava/lang/String;"

// behindCall calls a method of the runtime behind a call, which keeps the name that this has, and stores the node that it returns.
func (p *plan) behindCall(site callSite, m runtimeMethod, parameters, result string, code ...bytecode.Instruction) error {
	c := p.calls
	invoke, err := c.invokeAlone(m, parameters, result)
	if err != nil {
		return err
	}
	if code = append(code, invoke); result == c.nodeType() {
		code = append(code, c.node.store())
	}
	if site.transaction != endsTransaction && site.transaction != asksForContext {
		p.insert(site.at, bytecode.Always, nil, []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)}, 1, nil) // ..., name → ..., name, name
	}
	p.insert(site.at+1, bytecode.FallThrough, nil, code, 3, nil)
	return nil
}
