package instrument

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
	"mallard/internal/placement"
)

// method instruments one method; false if it stays as it was.
func (w *rewriter) method(m *classfile.Member) (bool, error) {
	attribute := w.class.Pool.FindAttribute(m.Attributes, classfile.AttrCode)
	if attribute == nil {
		return false, nil
	}
	name, err := w.class.Pool.Utf8(m.Name)
	if err != nil {
		return false, err
	}
	descriptor, err := w.class.Pool.Utf8(m.Descriptor)
	if err != nil {
		return false, err
	}
	raw, err := classfile.DecodeCode(attribute.Info)
	if err != nil {
		return false, fmt.Errorf("method %s%s: %w", name, descriptor, err)
	}
	contexts := w.wantsContext()
	invokes := w.options.Contexts != NoContexts && (mayInvoke(raw.Bytecode) || w.traits.InitializersEnter &&
		name == "<clinit>")
	if !w.mayChange(name, descriptor, raw.Bytecode) && !(contexts && invokes) {
		if !invokes {
			w.addLeaf(m, name, descriptor)
		}
		return false, nil
	}
	hook, last := w.hooks(name, descriptor)
	bytecodes := w.wantsBytecodes(name, raw.Bytecode)
	b := &body{rewriter: w, name: name, descriptor: descriptor, flags: m.AccessFlags, hook: hook, last: last, raw: raw,
		contexts: contexts, bytecodes: bytecodes}
	instrument := b.instrument
	if contexts {
		b.hidden, instrument = w.isHidden(m), b.instrumentInContexts
	}
	info, method, err := instrument()
	if err != nil {
		w.result.Skipped = append(w.result.Skipped, Skipped{name + descriptor, err.Error()})
		return false, nil
	}
	if info == nil {
		if contexts || !invokes {
			w.addLeaf(m, name, descriptor)
		}
		return false, nil
	}
	attribute.Info = info
	w.result.Methods = append(w.result.Methods, *method)
	return true, nil
}

// mayChange is false for a method that is left as it is, unless for what it calls.
func (w *rewriter) mayChange(name, descriptor string, code []byte) bool {
	hook, last := w.hooks(name, descriptor)
	return w.wantsBytecodes(name, code) || w.allocations.MayAllocate(code) || hook != emit.None ||
		last != emit.None
}

// hooks gives what a method calls first thing, and before each return.
func (w *rewriter) hooks(name, descriptor string) (first, last emit.RuntimeMethod) {
	if !w.traits.Hooks {
		return emit.None, emit.None
	}
	contexts := w.options.Contexts != NoContexts
	return emit.FirstHook(w.result.Name, name, descriptor, contexts),
		emit.LastHook(w.result.Name, name, descriptor, contexts)
}

// A body is a method being instrumented. Its strings are the class's.
type body struct {
	rewriter         *rewriter
	name, descriptor string
	flags            uint16
	hook, last       emit.RuntimeMethod // to call first thing, and before each return
	raw              *classfile.Code
	contexts         bool // it is to have contexts
	bytecodes        bool // those that it executes are counted, at its last site
	hidden           bool // see Context.Hidden

	code        *bytecode.Code
	graph       *cfg.Graph // nil if graphless is set
	allocations []allocations.Allocation
	graphless   []allocations.Allocation // see countedApart
	sites       []allocations.Site
	calls       []callSite // that contexts know

	constructions []Construction
}

// instrument gives the new contents of the Code attribute and what was put there; nil where nothing allocates. Where
// counters and corrections would make the method too long, or it cannot have the corrections, it tries other
// placements.
func (b *body) instrument() ([]byte, *Method, error) {
	if err := b.read(); err != nil || b.isEmpty() {
		return nil, nil, err
	}
	undo := b.rewriter.code.Mark()
	asked := b.rewriter.options.Placement
	info, method, err := b.place(fallback{strategy: asked})
	reason := ""
	for _, other := range b.fallbacks(asked) {
		var tooLong *lengthError
		var uncorrectable *catchError
		if !errors.As(err, &tooLong) && !errors.As(err, &uncorrectable) || b.graphless != nil || b.contexts &&
			other.uncorrected {
			break
		}
		if reason == "" {
			reason = fmt.Sprintf("with %v it %v", asked, err)
		}
		undo()
		if b.bytecodes {
			b.sites[len(b.sites)-1].Length = 0
		}
		if other.fewest {
			flatten(b.graph)
		}
		if info, method, err = b.place(other); err == nil {
			method.Fallback = reason
		}
	}
	if err != nil {
		undo()
		return nil, nil, err
	}
	return info, method, nil
}

// read takes the method apart.
func (b *body) read() (err error) {
	w := b.rewriter
	if b.code, err = bytecode.Decode(b.raw, w.class.Pool); err != nil {
		return err
	}
	b.code.Version = w.class.Major
	if b.allocations, b.sites, err = w.allocations.Find(b.name, b.code); err != nil {
		return err
	}
	if b.calls = nil; b.contexts {
		if b.calls, err = w.findCalls(b.code); err != nil {
			return err
		}
	}
	if b.contexts && w.options.Constructors {
		if b.constructions, err = b.findConstructions(); err != nil {
			return err
		}
	}
	if b.isEmpty() {
		return nil
	}
	if b.last == emit.Thrown && b.contexts {
		b.sites = append(b.sites, allocations.RaisedSites(strings.Clone(w.result.Name))...)
	}
	if b.bytecodes {
		b.sites = append(b.sites, allocations.Site{BCI: -1, Line: -1, Kind: allocations.Executed})
	} else if b.graphless = b.countedGraphless(); b.graphless != nil {
		return nil
	}
	if b.contexts && !b.bytecodes && len(b.allocations) == 0 {
		b.graphless = []allocations.Allocation{} // there is nothing to place
		return nil
	}
	b.graph, err = b.flow()
	if err == nil && w.options.Frequencies != nil {
		w.options.Frequencies(b.name+b.descriptor, b.graph)
	}
	return err
}

// isEmpty reports whether nothing is to be put into the method.
func (b *body) isEmpty() bool {
	// may have others run, without a call
	if b.contexts && b.rewriter.traits.InitializersEnter && b.name == "<clinit>" {
		return false
	}
	return !b.bytecodes && len(b.allocations) == 0 && len(b.calls) == 0 && b.hook == emit.None && b.last == emit.None &&
		!slices.ContainsFunc(b.code.Insns, b.rewriter.allocations.Gives)
}

// count puts the counters of all sites.
func (p *plan) count(b *body, f fallback) error {
	if b.graphless != nil {
		if err := p.behind(b.graphless); err != nil {
			return err
		}
		return p.sums(b.allocations)
	}
	if err := p.paths(b, f); err != nil {
		return err
	}
	if err := p.sums(b.allocations); err != nil {
		return err
	}
	if f.uncorrected || f.strategy == placement.Edges {
		p.method.Crosses = p.crosses(b.rewriter.class.Pool)
		return nil
	}
	return p.catch(b, f)
}

// place makes the new body in one of the ways there are.
func (b *body) place(f fallback) ([]byte, *Method, error) {
	w := b.rewriter
	p := &plan{code: b.code, emit: w.code.Method(), method: &Method{Name: strings.Clone(b.name),
		Descriptor: strings.Clone(b.descriptor), Sites: b.sites}}
	if b.contexts {
		var err error
		x := &Context{Calls: make([]Call, len(b.calls))}
		if p.emit, x.Number, x.First, err = w.code.MethodInContext(b.code.MaxLocals, len(b.calls)); err != nil {
			return nil, nil, err
		}
		p.method.Context = x
	} else if err := p.hook(b.hook); err != nil {
		return nil, nil, err
	}
	if err := p.unhook(b.hook); err != nil {
		return nil, nil, err
	}
	if err := p.give(w); err != nil {
		return nil, nil, err
	}
	if err := p.count(b, f); err != nil {
		return nil, nil, err
	}
	if err := p.last(b.last); err != nil {
		return nil, nil, err
	}
	prologue, err := p.probe(b)
	if err != nil {
		return nil, nil, err
	}
	if b.contexts {
		if err := p.countConstructions(b); err != nil {
			return nil, nil, err
		}
		if prologue, err = p.enter(b); err != nil {
			return nil, nil, err
		}
	}
	rewritten, err := b.code.RewriteEntering(p.insertions, p.catching, prologue)
	if err != nil {
		var tooLong *bytecode.LengthError
		if errors.As(err, &tooLong) {
			return nil, nil, &lengthError{tooLong.Length, classfile.MaxCodeBytes}
		}
		return nil, nil, err
	}
	if n := len(rewritten.Code.Bytecode); n > maxCompiled && len(b.raw.Bytecode) <= maxCompiled &&
		b.name != "<clinit>" && !(w.options.Huge && b.contexts) {
		return nil, nil, &lengthError{n, maxCompiled}
	}
	for k := range b.calls {
		p.method.Context.Calls[k].PC = rewritten.PC(b.calls[k].at)
	}
	if w.options.Placed != nil && p.placed != nil {
		w.options.Placed(p.method, p.placed)
	}
	if b.graphless != nil {
		p.method.phis = p.phiTableGraphless(rewritten, b.graphless)
	} else {
		p.method.phis = p.phiTable(rewritten)
	}
	p.method.shifts = shiftsOf(b.code, rewritten)
	p.method.codeShape = bytecode.Shape(rewritten.Code.Bytecode)
	p.method.Adaptable = b.graphless == nil && !b.bytecodes && f.strategy == placement.Optimal && !f.fewest &&
		p.placed.Problem().DependsOnFrequencies()
	start := len(w.infos)
	if w.infos, err = rewritten.Code.AppendTo(w.infos); err != nil {
		return nil, nil, err
	}
	return w.infos[start:len(w.infos):len(w.infos)], p.method, nil
}
