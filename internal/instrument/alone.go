package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// Where no agent is ([Options.Portable]), the tree's nodes are objects, of the class Node of [Options.Portable], and the local variable refers to one:
//
//	ldc METHOD; ldc FIRST; sipush SLOTS; sipush COUNTERS      Number; number of the first counter; how many calls and counters there are
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
// Nobody can be asked there who called an invocation. So what leaves by an exception says so as well, for the JDK may have called it, catch that, and call something else.
// The call of super() or this() cannot be guarded. It says which class's constructor it calls, and constructors say whose they are: chain and construct in place of call and
// enter (class Node of runtime/portable).

// nodeType is the descriptor of nodes where they are objects.
func (c *calls) nodeType() string { return "L" + c.names[inTree] + ";" }

// invokeAlone gives the call of a method of the class of nodes, given its parameters behind the node.
func (c *calls) invokeAlone(m runtimeMethod, parameters, result string) (bytecode.Instruction, error) {
	return c.invokeAs(m, &c.methods[m], "("+parameters+")"+result)
}

// enterAlone is enter.
func (c *calls) enterAlone(x *Context, class, method string) ([]bytecode.Instruction, error) {
	first, err := c.push(x.First)
	if err != nil {
		return nil, err
	}
	code := []bytecode.Instruction{c.ldc(c.node.method), first, bytecode.PushInt(int16(c.node.slots)), bytecode.PushInt(int16(c.next - x.First))}
	m, parameters := enter, "IIII"
	switch {
	case method == "<init>":
		name, err := c.text(class)
		if err != nil {
			return nil, err
		}
		code, m, parameters = append(code, name), construct, "IIII"+stringType
	case x.Name == Nameless:
		m = enterAnyAlone
	}
	invoke, err := c.invokeAlone(m, parameters, c.nodeType())
	return append(code, invoke), err // ... → node
}

// text pushes a class's name, as the JVM's stack traces have it.
func (c *calls) text(class string) (bytecode.Instruction, error) {
	i, err := c.pool.Append(classfile.Entry{Tag: classfile.TagUtf8, Utf8: strings.ReplaceAll(class, "/", ".")})
	if err == nil {
		i, err = c.pool.Append(classfile.Entry{Tag: classfile.TagString, A: i})
	}
	return c.ldc(i), err
}

// announceAlone is announce.
func (c *calls) announceAlone(slot int, site callSite) ([]bytecode.Instruction, error) {
	code := []bytecode.Instruction{c.node.load(), bytecode.PushInt(int16(slot + 1))}
	m, parameters := call, c.nodeType()+"I"
	if site.chains {
		callee, _, _ := strings.Cut(site.Callee, "(")
		name, err := c.text(callee)
		if err != nil {
			return nil, err
		}
		code, m, parameters = append(code, name), chain, parameters+stringType
	}
	invoke, err := c.invokeAlone(m, parameters, "V")
	return append(code, invoke), err // ..., node, slot → ...
}

// endAlone is end, for a return or for an exception.
func (c *calls) endAlone(m runtimeMethod) ([]bytecode.Instruction, error) {
	invoke, err := c.invokeAlone(m, c.nodeType(), "V")
	return []bytecode.Instruction{c.node.load(), invoke}, err // ..., node → ...
}

// prologueAlone is prologue, with what an invocation ends with that does not return. Nothing that stands in a program has a hook.
func (p *plan) prologueAlone(b *body) (bytecode.Prologue, error) {
	c := p.calls
	code, err := c.enterAlone(p.method.Context, b.rewriter.result.Name, b.name)
	if err != nil {
		return bytecode.Prologue{}, err
	}
	class, err := c.class(c.names[inTree])
	if err != nil {
		return bytecode.Prologue{}, err
	}
	prologue := bytecode.Prologue{Code: append(code, c.node.store()), Stack: len(code), Local: bytecode.VerificationType{Tag: bytecode.Object, Arg: int32(class)}}
	err = p.guard(b, &prologue)
	return prologue, err
}

// guard completes the prologue.
func (p *plan) guard(b *body, prologue *bytecode.Prologue) error {
	c := p.calls
	code, err := c.endAlone(thrownAlone)
	if err != nil {
		return err
	}
	constants, err := c.catching(nil)
	if err != nil {
		return err
	}
	prologue.Guard = bytecode.Guard{Code: code, Stack: 1, Throwable: constants.Throwable, StackMapTable: constants.StackMapTable}
	if b.code.Version < framesVersion {
		return nil
	}
	if prologue.Entry, err = b.entryLocals(c.class); err != nil {
		return err
	}
	prologue.Guard.This, err = b.uninitializedThis()
	return err
}

// uninitializedThis tells for each instruction of a constructor whether `this` is uninitialised when it starts; nil for other methods, and in classes without frames.
func (b *body) uninitializedThis() ([]bool, error) {
	if b.name != "<init>" || b.code.Version < framesVersion {
		return nil, nil
	}
	entry, err := b.entryLocals(func(string) (classfile.PoolIndex, error) { return 0, nil })
	if err != nil {
		return nil, err
	}
	return b.code.UninitializedThis(entry, b.rewriter.class.Pool)
}

// findChains finds the calls of super() or this().
func (b *body) findChains() error {
	if !b.rewriter.calls.alone {
		return nil
	}
	this, err := b.uninitializedThis()
	if err != nil {
		return err
	}
	for k := range b.calls {
		at := b.calls[k].at
		b.calls[k].chains = at+1 < len(this) && this[at] && !this[at+1] && b.code.Insns[at].Op == bytecode.OpInvokespecial
	}
	return nil
}
