package instrument

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/emit"
)

// maxWords is the size of the largest nodes, whose words sipush can number.
const maxWords = math.MaxInt16

// enter gives a method a context: all that is not counting. Counters are placed already.
func (p *plan) enter(b *body) (bytecode.Prologue, error) {
	x := p.method.Context
	x.Name = strings.Clone(emit.Answers(b.rewriter.result.Name, b.name, b.descriptor))
	x.Words = emit.NodeHeader + len(x.Calls) + int(p.emit.Counters()-x.First)
	x.Hidden, x.Constructions = b.hidden, slices.Clone(b.constructions)
	if x.Words > maxWords {
		return bytecode.Prologue{}, fmt.Errorf("a context would have %d words", x.Words)
	}
	for k := range b.calls {
		x.Calls[k] = b.calls[k].Call
	}
	for k := range b.begins {
		x.Calls[len(b.calls)+k] = b.begins[k].noCall(k)
	}
	if b.tells {
		x.Calls[len(x.Calls)-1] = classesCall
	}
	late := p.beginnings(b)
	if err := p.announce(b, late); err != nil {
		return bytecode.Prologue{}, err
	}
	return p.prologue(b, late)
}

// announce inserts what stands before calls and returns. It comes after all counters, and so stands behind them.
func (p *plan) announce(b *body, late *beginnings) error {
	sites := b.calls
	if err := b.findChains(); err != nil {
		return err
	}
	for k, site := range sites {
		call := emit.Call{Slot: k, Callee: site.Callee, Transaction: site.transaction, Chains: site.chains}
		code, err := p.emit.Announce(call)
		if err != nil {
			return err
		}
		p.insert(site.at, bytecode.Always, nil, code, emit.ContextStack, nil)
		around, err := p.emit.Transaction(call)
		if err != nil {
			return err
		}
		if len(around.Before) > 0 {
			p.insert(site.at, bytecode.Always, nil, around.Before, 1, nil)
		}
		if len(around.Behind) > 0 {
			p.insert(site.at+1, bytecode.FallThrough, nil, around.Behind, around.Stack, nil)
		}
	}
	if len(sites) == 0 && !transacts(b.calls, b.begins) && !p.emit.Traits().LeavesEnd {
		return nil
	}
	for i, in := range p.code.Insns {
		if !in.Op.IsReturn() || !late.mayHaveBegun(i) {
			continue
		}
		code, err := p.emit.End(transacts(b.calls, b.begins))
		if err != nil {
			return err
		}
		p.insert(i, bytecode.Always, nil, code, emit.ContextStack, nil)
	}
	return nil
}

// prologue is what an invocation begins with, the hook, if any, and the node, and what it ends with if an exception
// leaves it.
func (p *plan) prologue(b *body, late *beginnings) (bytecode.Prologue, error) {
	prologue := bytecode.Prologue{}
	code, hookStack, err := p.emit.Hook(b.hook)
	if err != nil {
		return prologue, err
	}
	x := p.method.Context
	enter, stack, err := p.emit.Enter(&emit.Entry{
		Class: b.rewriter.result.Name, Method: b.name, Name: x.Name, Words: x.Words, Calls: len(x.Calls),
		Counters: p.emit.Counters() - x.First, Transacts: transacts(b.calls, b.begins),
	})
	if err != nil {
		return prologue, err
	}
	prologue.Stack = max(hookStack, stack)
	prologue.Code = append(code, p.begin(late, enter)...)
	named, err := p.beginTransactions(b)
	if err != nil {
		return prologue, err
	}
	if len(named) > 0 {
		prologue.Code, prologue.Stack = append(prologue.Code, named...), max(prologue.Stack, beginStack)
	}
	if prologue.Local, err = p.emit.Local(); err != nil {
		return prologue, err
	}
	guard, err := p.emit.Guard(len(b.begins) > 0)
	if err != nil || b.code.Version < framesVersion {
		if guard != nil {
			prologue.Guard = *guard
		}
		return prologue, err
	}
	if guard != nil || len(b.code.Frames) > 0 {
		if prologue.Entry, err = b.entryLocals(p.emit.ClassConstant); err != nil {
			return prologue, err
		}
	}
	if guard != nil {
		prologue.Guard = *guard
		prologue.Guard.This, err = b.uninitializedThis()
	}
	return prologue, err
}
